// ParallelLayout: how the ranks of a job share it. All axes are always there; 1 means not used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "model/arch.h"

namespace mekiki {

struct ParallelLayout {
  std::int64_t dp_replicate = 1;
  std::int64_t dp_shard = 1;
  std::int64_t tensor_parallel = 1;
  bool sequence_parallel = false;
  std::int64_t context_parallel = 1;
  std::int64_t pipeline_parallel = 1;
  std::int64_t virtual_pipeline = 1;
  std::int64_t expert_parallel = 1;
  std::int64_t expert_tensor_parallel = 1;
  /// What the sharding group partitions: 0 nothing, 1 optimizer states, 2 + gradients, 3 + parameters.
  int zero_stage = 0;
  bool reshard_after_forward = true;

  friend bool operator==(const ParallelLayout&, const ParallelLayout&) = default;

  /// Ranks that see different data.
  std::int64_t data_parallel() const { return dp_replicate * dp_shard; }
  std::int64_t world_size() const { return data_parallel() * tensor_parallel * context_parallel * pipeline_parallel; }
  /// Ranks over which states are sharded: parameters are equal on all data- and context-parallel ranks.
  std::int64_t sharding_group() const { return zero_stage == 0 ? 1 : dp_shard * context_parallel; }
  /// Ranks with the same experts.
  std::int64_t expert_data_parallel() const {
    return std::max<std::int64_t>(
        1, data_parallel() * tensor_parallel * context_parallel / (expert_parallel * expert_tensor_parallel));
  }
};

/// What a layout must agree with.
struct LayoutLimits {
  std::int64_t gpus = 1;
  std::int64_t layers = 1;
  std::int64_t heads = 1;  // smallest query-head count of the attention blocks
  std::int64_t kv_heads = 1;
  std::int64_t experts = 0;
  std::int64_t sequence_length = 1;
};

LayoutLimits limits_of(const Arch& arch, std::int64_t sequence_length, std::int64_t gpus);

/// The integer rules. Errors name the axis and both numbers, e.g. "tensor_parallel 3 does not divide 32 heads".
/// Rules: every axis >= 1; dp_replicate x dp_shard x TP x CP x PP = GPUs; TP divides the heads; PP x VPP <= layers;
/// EP divides the experts and EP x ETP divides dp x TP x CP; sequence_parallel needs TP > 1; CP divides the sequence.
Status check_layout(const ParallelLayout& layout, const LayoutLimits& limits);

/// "dp_shard 8, tensor_parallel 2, zero_stage 3": axes above 1 only; "single GPU" if there is none.
std::string describe(const ParallelLayout& layout);

}  // namespace mekiki
