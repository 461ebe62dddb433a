// Look-ups among the priced plans of a set that rules of advice share.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "search/plan.h"

namespace mekiki {

/// Whether a list of a rule names the value.
template <class T>
bool among(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The plan of a rank; null: no rank.
const Plan* plan_ranked(const PlanSet& set, const std::optional<std::int64_t>& rank);

/// The cheapest priced plan that fits with headroom and that `among` takes; null: none.
const Plan* cheapest_fitting(const PlanSet& set, const std::function<bool(const Plan&)>& among);

inline const Plan* cheapest_fitting(const PlanSet& set) {
  return cheapest_fitting(set, [](const Plan&) { return true; });
}

}  // namespace mekiki
