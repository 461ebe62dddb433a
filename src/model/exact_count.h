// Sums and products of weight counts that stop at a ceiling instead of wrapping. A config whose count reaches it is
// refused where it is read, so that every count behind read_config is exact.
#pragma once

#include <cstdint>

namespace mekiki {

/// Just below 2^53: every count below it is exact as a double too.
inline constexpr std::int64_t kCountCeiling = 9'000'000'000'000'000;

/// All arguments are counts: not negative.
constexpr std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) || sum > kCountCeiling ? kCountCeiling : sum;
}

constexpr std::int64_t capped_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) || product > kCountCeiling ? kCountCeiling : product;
}

template <class... Counts>
constexpr std::int64_t capped_sum(std::int64_t a, std::int64_t b, Counts... more) {
  return capped_sum(capped_sum(a, b), more...);
}

template <class... Counts>
constexpr std::int64_t capped_product(std::int64_t a, std::int64_t b, Counts... more) {
  return capped_product(capped_product(a, b), more...);
}

}  // namespace mekiki
