#include "cost/report.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/quantile.h"

namespace mekiki {
namespace {

/// An undated price is only worth an assumption.
Basis basis_of(const std::optional<Date>& as_of) {
  return as_of ? Basis::datasheet : Basis::assumed;
}

CostTerm gpu_term(const CostInputs& in, Seconds wall, UsdPerSecond per_node) {
  const Seconds paid = std::max(wall, in.minimum.value_or(Seconds{}));
  return {billed(paid, in.billing_increment) * per_node * static_cast<double>(in.nodes), Basis::datasheet};
}

CostTerm storage_term(const CostInputs& in, const CostRules& rules, Seconds wall) {
  if (in.storage == nullptr) {
    return {std::nullopt, Basis::assumed, CostReason::no_storage_price};
  }
  const Usd during = rules.kept_checkpoints * in.checkpoint * wall * in.storage->rate;
  const Usd after = in.delivered * rules.kept_after_run * in.storage->rate;
  return {during + after, Basis::assumed, CostReason::assumed_retention};
}

CostTerm egress_term(const CostInputs& in) {
  if (in.egress == nullptr) {
    return {std::nullopt, Basis::assumed, CostReason::no_egress_price};
  }
  return {in.delivered * in.egress->rate, basis_of(in.egress->as_of)};
}

Seconds setup_time(const CostInputs& in, const CostRules& rules) {
  const Seconds further = in.nodes > 1 ? rules.setup_further_nodes : Seconds{};
  switch (in.effort) {
    case SetupEffort::single_gpu:
      return rules.setup_single_gpu + further;
    case SetupEffort::data_parallel:
      return rules.setup_data_parallel + further;
    case SetupEffort::sharded:
      return rules.setup_sharded + further;
    case SetupEffort::multi_dimensional:
      break;
  }
  return rules.setup_multi_dimensional + further;
}

Usd sum_of(const std::array<CostTerm, kCostTerms>& terms) {
  Usd sum;
  for (const CostTerm& term : terms) {
    sum += term.amount.value_or(Usd{});
  }
  return sum;
}

std::array<CostTerm, kCostTerms> terms_at(const CostInputs& in,
                                          const CostRules& rules,
                                          Seconds wall,
                                          UsdPerSecond per_node) {
  const Usd recovery = in.interruptions * rules.engineer_time_per_interruption * rules.engineer_rate;
  const Usd setup = setup_time(in, rules) * rules.engineer_rate;
  return {gpu_term(in, wall, per_node),
          storage_term(in, rules, wall),
          egress_term(in),
          CostTerm{Usd{}, Basis::assumed, CostReason::own_scheduler},
          CostTerm{recovery, Basis::assumed, CostReason::assumed_hours},
          CostTerm{setup, Basis::assumed, CostReason::assumed_hours},
          CostTerm{-in.reuse, Basis::assumed, in.reuse > Usd{} ? CostReason::none : CostReason::no_reuse_given}};
}

Usd drawn_total(const CostInputs& in, const CostRules& rules, Usd at_p50) {
  std::vector<Usd> totals;
  totals.reserve(in.drawn_walls.size());
  for (std::size_t i = 0; i < in.drawn_walls.size(); ++i) {
    const UsdPerSecond per_node = in.drawn_prices.empty() ? in.per_node : in.drawn_prices[i];
    totals.push_back(sum_of(terms_at(in, rules, in.drawn_walls[i], per_node)));
  }
  return totals.empty() ? at_p50 : std::max(at_p50, quantile(std::move(totals), 0.9));
}

}  // namespace

Seconds billed(Seconds wall, const std::optional<Seconds>& increment) {
  if (!increment || !(*increment > Seconds{})) {
    return wall;
  }
  return *increment * std::ceil(wall / *increment);
}

CostReport cost_of(const CostInputs& inputs, const CostRules& rules) {
  MEKIKI_CHECK(inputs.drawn_prices.empty() || inputs.drawn_prices.size() == inputs.drawn_walls.size(),
               "one price for each draw");
  CostReport report{.terms = terms_at(inputs, rules, inputs.wall_p50, inputs.per_node),
                    .deliveries = inputs.deliveries};
  report.total = sum_of(report.terms);
  report.total_p90 = drawn_total(inputs, rules, report.total);
  report.total_without_reuse = report.total - report.term(CostTermKind::reuse).amount.value_or(Usd{});
  for (const CostTerm& term : report.terms) {
    report.complete = report.complete && term.amount.has_value();
    if (term.basis != Basis::assumed) {
      report.total_without_assumed += term.amount.value_or(Usd{});
    }
  }
  return report;
}

}  // namespace mekiki
