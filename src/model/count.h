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
/// count 2 x matmul_per_token; softmax attention over n keys 2 x heads x (qk_dim + v_dim) x n, which is 4 x heads x
/// head_dim x n where both are equal. Attention is given twice because published MFUs differ in it: causal (a query
/// sees s/2 keys on average, w - w^2/(2s) within a window w < s or of the w keys that an indexer chose, c/2 within
/// chunks of c) and full (s keys, w or c); an indexer scores every key. Recurrent mixers in chunks of c: 2 x heads x c
/// x (key_dim + value_dim) within the chunk (half of it in the causal figure) and 4 x heads x key_dim x value_dim with
/// the state; a selective scan 6 x channels x state. Not modelled: softmax, norms, convolutions, rotary embedding,
/// vision, MTP.
struct FlopsPerToken {
  Flops forward_causal;
  Flops forward_full;
  /// Backward is twice the forward; recompute is not counted (that is HFU).
  Flops training_causal() const { return 3.0 * forward_causal; }
  Flops training_full() const { return 3.0 * forward_full; }
};

FlopsPerToken flops_per_token(const Arch& arch, std::int64_t sequence_length);

/// What inference keeps of one sequence of this length: keys and values (a window or chunk keeps its last tokens only),
/// the narrow vector and the rotated key of latent attention, and the states of recurrent mixers, which do not grow.
Bytes kv_cache_bytes(const Arch& arch, std::int64_t sequence_length, Dtype dtype);

/// What one more token adds before any window is full; states of recurrent mixers add nothing.
Bytes kv_cache_bytes_per_token(const Arch& arch, Dtype dtype);

}  // namespace mekiki
