// Order statistics of drawn amounts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/check.h"

namespace mekiki {

/// The value below which `share` (0 to 1) of the values lie, without interpolation: one of the values.
template <class T>
T quantile(std::vector<T> values, double share) {
  MEKIKI_CHECK(!values.empty() && share >= 0 && share <= 1, "a quantile is one of the values");
  const auto place = std::llround(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

}  // namespace mekiki
