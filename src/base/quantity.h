// Unit types. One template serves every unit of the program; a bare double never crosses a function boundary as an
// amount.
//
//   Bytes states = 12.0 * weights * kByte;          // construction is explicit
//   double gib = states / kGiB;                     // a number comes out by dividing by a unit
//   Seconds t = work / rate;                        // Flops / FlopsPerSecond: exponents follow * and /
//
// Not modelled: offsets (a date is not a duration), and saturation: an amount that an input made absurd is refused
// where it is read, not here.
#pragma once

#include <compare>
#include <concepts>
#include <type_traits>

namespace mekiki {

/// Exponents of the base units. Two quantities add only if all of them agree.
struct Dimension {
  int byte = 0, second = 0, flop = 0, token = 0, usd = 0;
  constexpr bool operator==(const Dimension&) const = default;
};

constexpr Dimension operator+(Dimension a, Dimension b) {
  return {a.byte + b.byte, a.second + b.second, a.flop + b.flop, a.token + b.token, a.usd + b.usd};
}
constexpr Dimension operator-(Dimension a, Dimension b) {
  return {a.byte - b.byte, a.second - b.second, a.flop - b.flop, a.token - b.token, a.usd - b.usd};
}

template <Dimension D>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base_units) : value_(base_units) {}

  /// The amount in base units (bytes, seconds, operations, tokens, dollars). For serialisers only; elsewhere divide by
  /// a unit.
  constexpr double base() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.value_ + b.value_}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.value_ - b.value_}; }
  friend constexpr Quantity operator-(Quantity a) { return Quantity{-a.value_}; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity{a.value_ * factor}; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return Quantity{factor * a.value_}; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return Quantity{a.value_ / divisor}; }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double value_ = 0.0;
};

template <Dimension A, Dimension B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  if constexpr (A + B == Dimension{}) {
    return a.base() * b.base();
  } else {
    return Quantity<A + B>{a.base() * b.base()};
  }
}

/// Equal dimensions give a plain double: a ratio, a share, an MFU.
template <Dimension A, Dimension B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  if constexpr (A == B) {
    return a.base() / b.base();
  } else {
    return Quantity<A - B>{a.base() / b.base()};
  }
}

using Bytes = Quantity<Dimension{.byte = 1}>;
using Seconds = Quantity<Dimension{.second = 1}>;
using Flops = Quantity<Dimension{.flop = 1}>;  // a count of operations, never a rate
using Tokens = Quantity<Dimension{.token = 1}>;
using Usd = Quantity<Dimension{.usd = 1}>;
using BytesPerSecond = Quantity<Dimension{.byte = 1, .second = -1}>;
using FlopsPerSecond = Quantity<Dimension{.second = -1, .flop = 1}>;
using TokensPerSecond = Quantity<Dimension{.second = -1, .token = 1}>;
using UsdPerSecond = Quantity<Dimension{.second = -1, .usd = 1}>;

inline constexpr Bytes kByte{1.0};
inline constexpr Bytes kMiB{1024.0 * 1024.0};
inline constexpr Bytes kGiB{1024.0 * 1024.0 * 1024.0};
inline constexpr Bytes kGB{1e9};
inline constexpr Seconds kSecond{1.0};
inline constexpr Seconds kMicrosecond{1e-6};
inline constexpr Seconds kHour{3600.0};
inline constexpr Seconds kDay{86400.0};
inline constexpr Flops kFlop{1.0};
inline constexpr Tokens kToken{1.0};
inline constexpr Usd kUsd{1.0};
inline constexpr FlopsPerSecond kTflopPerSecond{1e12};
inline constexpr BytesPerSecond kGBPerSecond{1e9};
inline constexpr UsdPerSecond kUsdPerHour{1.0 / 3600.0};

static_assert(std::is_trivially_copyable_v<Bytes> && sizeof(Bytes) == sizeof(double));
static_assert(!std::is_convertible_v<double, Bytes> && !std::is_convertible_v<Bytes, double>);

}  // namespace mekiki
