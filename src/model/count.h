// The six counts of CONTRACTS and FLOPs per token, from the same ops that a training step is lowered from.
#pragma once

#include <cstdint>

#include "base/quantity.h"
#include "model/arch.h"

namespace mekiki {

struct WeightCounts {
  std::int64_t trainable = 0;  // unique weights, with vision, without MTP
  std::int64_t stored = 0;     // what a checkpoint of this config holds
  std::int64_t mtp = 0;
  std::int64_t vision = 0;
  std::int64_t active_per_token = 0;  // embedding included, vision and unselected experts not
  std::int64_t matmul_per_token = 0;  // active less the untied input embedding and learned positions
};

WeightCounts count_weights(const Arch& arch);

/// FLOPs of one token at this length: 2 per multiply-add, the output head included, the embedding lookup not. Attention
/// is given twice because published MFUs differ in it: causal (a query sees half of the keys on average) and full.
struct FlopsPerToken {
  Flops forward_causal;
  Flops forward_full;
  /// Backward is twice the forward; recompute is not counted (that is HFU).
  Flops training_causal() const { return 3.0 * forward_causal; }
  Flops training_full() const { return 3.0 * forward_full; }
};

FlopsPerToken flops_per_token(const Arch& arch, std::int64_t sequence_length);

}  // namespace mekiki
