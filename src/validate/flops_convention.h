// What a published TFLOP/s figure counts. Sources count attention in full or by its causal half, embeddings or not,
// recompute or not; a rate in tokens per second needs none of this, and is what scores compare first.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/enum_names.h"
#include "base/quantity.h"
#include "job/job.h"
#include "model/arch.h"
#include "validate/aliases.h"

namespace mekiki {

enum class FlopsConvention : std::uint8_t {
  matmul_causal,        // 6 per weight of matrix products, attention over the keys that a query sees: our own
  matmul_full,          // attention over all keys
  matmul_full_adapter,  // the same, adapter methods at two thirds (no gradients of frozen weights)
  all_weights_full,     // 6 per weight, embeddings included, attention over all keys
  all_weights_only,     // 6 per weight, no attention
  hardware_full         // matmul_full with one more forward for recompute
};
template <>
struct EnumNames<FlopsConvention> {
  static constexpr std::array<std::string_view, 6> value = {
      "matmul_causal", "matmul_full", "matmul_full_adapter", "all_weights_full", "all_weights_only", "hardware_full"};
};

/// By the aliases; our own where the text is empty or describes none of them.
FlopsConvention convention_of(const AliasRules& rules, std::string_view text);

/// FLOPs of one trained token under a convention.
Flops flops_per_token_in(FlopsConvention convention, const Arch& arch, Method method, std::int64_t sequence_length);

}  // namespace mekiki
