// The quick rule: states = parameters x bytes per parameter. What everybody computes first, with its stack named.
#pragma once

#include <span>

#include "base/name.h"
#include "base/quantity.h"

namespace mekiki {

/// Bytes per trained parameter, taken apart.
struct QuickRule {
  Name stack;
  double weights = 0, gradients = 0, optimizer_states = 0, master_weights = 0;

  double bytes_per_parameter() const { return weights + gradients + optimizer_states + master_weights; }
};

/// The stacks worth telling apart, the 12-byte one first.
std::span<const QuickRule> quick_rules();

/// GiB = parameters x bytes / 2^30. Headroom belongs on the full estimate, never here.
inline Bytes quick_states(const QuickRule& rule, double parameters) {
  return Bytes{parameters * rule.bytes_per_parameter()};
}

}  // namespace mekiki
