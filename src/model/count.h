// The six counts of a model, FLOPs per token and the size of the key-value cache, from the same ops that a training
// step is lowered from.
#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/quantity.h"
#include "model/arch.h"

namespace mekiki {

/// Exact up to kCountCeiling (model/exact_count.h), where they stop.
struct WeightCounts {
  std::int64_t trainable = 0;  // unique weights, with vision, without MTP
  std::int64_t stored = 0;     // trainable, MTP and the stored differences that Arch names
  std::int64_t mtp = 0;
  std::int64_t vision = 0;
  std::int64_t active_per_token = 0;  // embedding included, vision and unselected experts not
  std::int64_t matmul_per_token = 0;  // active less the untied input embedding and learned positions

  bool operator==(const WeightCounts&) const = default;
};

WeightCounts count_weights(const Arch& arch);

/// Stored weights of one layer, norms included.
std::int64_t layer_weights(const Layer& layer, std::int64_t hidden_size);

/// FLOPs of one token at this length: 2 per multiply-add, the output head included, the embedding lookup not. Weights
/// count 2 x matmul_per_token; softmax attention over n keys 4 x heads x head_dim x n. Attention is given twice because
/// published MFUs differ in it: causal (a query sees s/2 keys on average, w - w^2/(2s) within a window w < s, c/2
/// within chunks of c) and full (s keys, w or c). Not modelled: softmax, norms, rotary embedding, vision, MTP.
struct FlopsPerToken {
  Flops forward_causal;
  Flops forward_full;
  /// Backward is twice the forward; recompute is not counted (that is HFU).
  Flops training_causal() const { return 3.0 * forward_causal; }
  Flops training_full() const { return 3.0 * forward_full; }
};

FlopsPerToken flops_per_token(const Arch& arch, std::int64_t sequence_length);

/// Keys and values of one sequence of this length; a window or chunk keeps its last tokens only.
Bytes kv_cache_bytes(const Arch& arch, std::int64_t sequence_length, Dtype dtype);

/// What one more token adds before any window is full.
Bytes kv_cache_bytes_per_token(const Arch& arch, Dtype dtype);

}  // namespace mekiki
