#include "validate/flops_convention.h"

#include "model/count.h"

namespace mekiki {
namespace {

constexpr double kPerWeight = 6.0;            // 2 per multiply-add, forward and twice that backward
constexpr double kWithRecompute = 4.0 / 3.0;  // forward runs twice
constexpr double kAdapterShare = 2.0 / 3.0;

}  // namespace

FlopsConvention convention_of(const AliasRules& rules, std::string_view text) {
  const Result<std::string_view> word =
      word_for(rules, "flops_convention", text, [](std::string_view) { return std::string_view{}; });
  return word ? enum_from_name<FlopsConvention>(*word).value_or(FlopsConvention::matmul_causal)
              : FlopsConvention::matmul_causal;
}

Flops flops_per_token_in(FlopsConvention convention, const Arch& arch, Method method, std::int64_t sequence_length) {
  const FlopsPerToken flops = flops_per_token(arch, sequence_length);
  const WeightCounts counts = count_weights(arch);
  const Flops all_weights{kPerWeight * static_cast<double>(counts.trainable)};
  const Flops matmuls{kPerWeight * static_cast<double>(counts.matmul_per_token)};
  switch (convention) {
    case FlopsConvention::matmul_causal:
      return flops.training_causal();
    case FlopsConvention::matmul_full:
      return flops.training_full();
    case FlopsConvention::matmul_full_adapter:
      return (trains_adapters_only(method) ? kAdapterShare : 1.0) * flops.training_full();
    case FlopsConvention::all_weights_full:
      return all_weights + (flops.training_full() - matmuls);
    case FlopsConvention::all_weights_only:
      return all_weights;
    case FlopsConvention::hardware_full:
      return kWithRecompute * flops.training_full();
  }
  return flops.training_causal();
}

}  // namespace mekiki
