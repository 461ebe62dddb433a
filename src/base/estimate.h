// A figure with its band and where it comes from. Every prediction is one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/quantity.h"

namespace mekiki {

/// Weakest to strongest is assumed, fitted, datasheet, measured; a figure made of several carries the weakest.
enum class Basis : std::uint8_t { assumed, fitted, datasheet, measured };

std::string_view name(Basis basis);
std::optional<Basis> basis_named(std::string_view text);

constexpr Basis weakest(Basis a, Basis b) {
  return std::min(a, b);
}

/// low <= mid <= high always; the band is meant to hold the truth in eight of ten cases.
template <class Q>
struct Estimate {
  Q low{};
  Q mid{};
  Q high{};
  Basis basis = Basis::assumed;

  friend constexpr Estimate operator+(const Estimate& a, const Estimate& b) {
    return {a.low + b.low, a.mid + b.mid, a.high + b.high, weakest(a.basis, b.basis)};
  }
  friend constexpr Estimate operator*(const Estimate& a, double factor) {
    return {a.low * factor, a.mid * factor, a.high * factor, a.basis};
  }
};

/// Band as factors of the mid value: `low` <= 1 <= `high`.
struct Band {
  double low = 1.0;
  double high = 1.0;
};

template <class Q>
constexpr Estimate<Q> with_band(Q mid, Band band, Basis basis) {
  return {mid * band.low, mid, mid * band.high, basis};
}

}  // namespace mekiki
