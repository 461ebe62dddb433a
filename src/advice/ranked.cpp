#include "advice/ranked.h"

namespace mekiki {

const Plan* plan_ranked(const PlanSet& set, const std::optional<std::int64_t>& rank) {
  return rank ? &set.plans[static_cast<std::size_t>(*rank - 1)] : nullptr;
}

const Plan* cheapest_fitting(const PlanSet& set, const std::function<bool(const Plan&)>& among) {
  const Plan* best = nullptr;
  for (const Plan& plan : set.plans) {
    if (plan.verdict == Verdict::fits && among(plan) && (best == nullptr || plan.cost->total < best->cost->total)) {
      best = &plan;
    }
  }
  return best;
}

}  // namespace mekiki
