// Work of one trained token under the ways of counting that claims are made with.
#pragma once

#include <cstdint>

#include "base/quantity.h"
#include "job/job.h"
#include "model/arch.h"

namespace mekiki {

/// Forward and backward, recompute left out. Full training does 6 FLOPs per weight of a product: 2 forward, 4 backward.
/// Adapters and prompts do 4, because frozen weights have no gradient of their own; their attention costs the same.
struct WorkPerToken {
  Flops weights_only;  // products with weights alone, as "6 x parameters x tokens" counts
  Flops causal;        // and attention over the keys that a query sees: what our MFU counts
  Flops full;          // and attention over all keys, as many papers count
};

/// Not modelled: the weights of the adapters themselves (below 2 %), layers under the first adapter.
WorkPerToken work_per_token(const Arch& arch, Method method, std::int64_t sequence_length);

/// The same of a bare count: weights alone, so the three are equal.
WorkPerToken work_per_token(double weights, Method method);

}  // namespace mekiki
