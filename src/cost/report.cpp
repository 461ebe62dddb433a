#include "cost/report.h"

#include <cmath>

namespace mekiki {
namespace {

/// An undated price is only worth an assumption.
Basis basis_of(const std::optional<Date>& as_of) {
  return as_of ? Basis::datasheet : Basis::assumed;
}

CostTerm gpu_term(const CostInputs& in, Seconds wall) {
  return {billed(wall, in.billing_increment) * in.per_node * static_cast<double>(in.nodes), Basis::datasheet};
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

std::array<CostTerm, kCostTerms> terms_at(const CostInputs& in, const CostRules& rules, Seconds wall) {
  const Usd recovery = in.interruptions * rules.engineer_time_per_interruption * rules.engineer_rate;
  const Usd setup = setup_time(in, rules) * rules.engineer_rate;
  return {gpu_term(in, wall),
          storage_term(in, rules, wall),
          egress_term(in),
          CostTerm{Usd{}, Basis::assumed, CostReason::own_scheduler},
          CostTerm{recovery, Basis::assumed, CostReason::assumed_hours},
          CostTerm{setup, Basis::assumed, CostReason::assumed_hours},
          CostTerm{-in.reuse, Basis::assumed, in.reuse > Usd{} ? CostReason::none : CostReason::no_reuse_given}};
}

}  // namespace

Seconds billed(Seconds wall, const std::optional<Seconds>& increment) {
  if (!increment || !(*increment > Seconds{})) {
    return wall;
  }
  return *increment * std::ceil(wall / *increment);
}

CostReport cost_of(const CostInputs& inputs, const CostRules& rules) {
  CostReport report{.terms = terms_at(inputs, rules, inputs.wall_p50), .deliveries = inputs.deliveries};
  report.total = sum_of(report.terms);
  report.total_p90 = sum_of(terms_at(inputs, rules, inputs.wall_p90));
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
