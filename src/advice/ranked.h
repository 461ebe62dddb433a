// Look-ups among the priced plans of a set that rules of advice share.
#pragma once

#include <functional>
#include <optional>

#include "search/plan.h"

namespace mekiki {

/// The plan of a rank; null: no rank.
const Plan* plan_ranked(const PlanSet& set, const std::optional<std::int64_t>& rank);

/// The cheapest priced plan that fits with headroom and that `among` takes; null: none.
const Plan* cheapest_fitting(const PlanSet& set, const std::function<bool(const Plan&)>& among);

inline const Plan* cheapest_fitting(const PlanSet& set) {
  return cheapest_fitting(set, [](const Plan&) { return true; });
}

}  // namespace mekiki
