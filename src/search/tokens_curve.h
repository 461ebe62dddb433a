// Hours and cost of one plan against the number of tokens.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "search/plan.h"

namespace mekiki {

struct TokensPoint {
  double tokens = 0;
  Seconds p50, p90;                       // wall time
  std::optional<Usd> cost_p50, cost_p90;  // of one delivered checkpoint; with a price
};

/// One point for each number of tokens above 0, in their order; those whose run would never end are left out. Layout,
/// batch and price stay those of the plan; the numbers of tokens are certain here.
std::vector<TokensPoint> against_tokens(const PlanRequest& request, const Plan& plan, std::span<const double> tokens);

}  // namespace mekiki
