// What data parallelism splits, gathers and keeps: the rules of DDP, FSDP, ZeRO and the distributed optimizer as one
// table of sizes.
#pragma once

#include "job/defaults.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "program/graph.h"
#include "program/stage_weights.h"

namespace mekiki {

/// Ranks over which each kind of state is split; 1: whole on every rank.
struct ShardCounts {
  double weights = 1, gradients = 1, states = 1;
  double expert_weights = 1, expert_gradients = 1, expert_states = 1;
};

/// The data-parallel side of one job on one layout.
struct Sharding {
  DataParallelStyle style = DataParallelStyle::ddp;
  ShardCounts shards;
  /// Weights are gathered once per step and stay so.
  bool gathers_once = false;
  bool reduces_every_micro_batch = false;  // sharded gradients
  bool resident_gradients = false;
  bool streams_weights = false;  // from host memory, unit by unit
  bool reshards = true;          // gathered weights are dropped after use
  UnshardedAccumulation accumulation = UnshardedAccumulation::none;
  bool in_backward = false;             // the optimizer steps inside backward; gradients never pile up
  Dtype weight_gradient = Dtype::bf16;  // as backward makes it
};

Sharding sharding_of(const ResolvedJob& job, const ParallelLayout& layout, const Profile& profile);

/// Stored bytes of one element of a quantised linear layer, block constants included.
Bytes bytes_per_quantized_weight(const ResolvedJob& job);

/// Weights of `elements` as this job stores them, whole (before sharding), adapters excluded.
struct StoredWeights {
  Bytes dense;
  Bytes expert;
};
StoredWeights stored_weights_of(const ElementSplit& elements, const ResolvedJob& job);

/// One rank's part of them.
inline Bytes on_one_rank(const StoredWeights& stored, const ShardCounts& shards) {
  return stored.dense / shards.weights + stored.expert / shards.expert_weights;
}

/// Elements whose states one rank holds; of block-wise optimizers those that train at a time.
double trained_on_one_rank(const ElementSplit& elements,
                           const PreparedModel& model,
                           const ResolvedJob& job,
                           const ShardCounts& shards);

/// Gathers, reductions and kept gradients of one unit (a layer, the embedding or the head).
GatheredWeights gathered_weights(const ElementSplit& elements, const ResolvedJob& job, const Sharding& sharding);

/// Whole gradients that one rank holds between micro-batches besides its shard; 0 where nothing stays whole.
Bytes unsharded_gradients(const ElementSplit& elements, const ResolvedJob& job, const Sharding& sharding);

/// Gradients that wait for the optimizer on one rank.
Bytes kept_gradients(const ElementSplit& elements, const ResolvedJob& job, const Sharding& sharding);

}  // namespace mekiki
