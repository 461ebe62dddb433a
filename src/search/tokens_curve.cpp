#include "search/tokens_curve.h"

#include "search/finalist.h"

namespace mekiki {

std::vector<TokensPoint> against_tokens(const PlanRequest& request, const Plan& plan, std::span<const double> tokens) {
  PlanRequest certain = request;
  certain.tokens_band = {};
  const PlanContext context{.request = &certain, .draws = common_draws()};
  std::vector<TokensPoint> points;
  for (const double count : tokens) {
    if (!(count > 0)) {
      continue;
    }
    const std::optional<Forecast> forecast = forecast_of(context, plan, count);
    if (!forecast) {
      continue;
    }
    TokensPoint point{.tokens = count, .p50 = forecast->run.p50, .p90 = forecast->run.p90};
    if (forecast->cost) {
      point.cost_p50 = forecast->cost->per_checkpoint();
      point.cost_p90 = forecast->cost->total_p90 / static_cast<double>(forecast->cost->deliveries);
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace mekiki
