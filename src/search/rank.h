// The order of plans, and which of them stand out.
#pragma once

#include <cstdint>
#include <vector>

#include "search/plan.h"

namespace mekiki {

/// Sorts the priced plans (fitting ones by the objective, then the tight ones likewise), numbers them, and names the
/// cheapest, the fastest, the smallest and the Pareto front of time and cost. The proof of the smallest is left open.
void rank_plans(PlanSet& set, Objective objective);

/// Ranks of the fitting plans (of the tight ones where none fits) that no other beats in both P50 time and total cost,
/// fastest first. `plans` are ranked and priced.
std::vector<std::int64_t> pareto_front(const std::vector<Plan>& plans);

}  // namespace mekiki
