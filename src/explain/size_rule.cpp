#include "explain/size_rule.h"

#include <optional>

namespace mekiki {
namespace {

std::optional<std::int8_t> exponent(double ratio) {
  for (std::int8_t power = 0; power <= 2; ++power) {
    if (ratio == static_cast<double>(1 << power)) {
      return power;
    }
  }
  return std::nullopt;
}

}  // namespace

SizeRule size_rule(Bytes bytes, Bytes twice_micro_batch, Bytes twice_sequence) {
  if (!(bytes > Bytes{})) {
    return {};
  }
  const std::optional<std::int8_t> micro_batch = exponent(twice_micro_batch / bytes);
  const std::optional<std::int8_t> sequence = exponent(twice_sequence / bytes);
  return micro_batch && sequence ? SizeRule{true, *micro_batch, *sequence} : SizeRule{};
}

}  // namespace mekiki
