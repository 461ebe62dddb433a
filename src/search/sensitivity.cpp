#include "search/sensitivity.h"

#include <algorithm>

#include "search/finalist.h"

namespace mekiki {
namespace {

enum class End : std::uint8_t { low, high };

template <class Q>
Q end_of(const Estimate<Q>& estimate, End end) {
  return end == End::low ? estimate.low : estimate.high;
}

template <class Q>
void set_to_end(Estimate<Q>& estimate, End end) {
  const Q value = end_of(estimate, end);
  estimate.low = estimate.mid = estimate.high = value;
}

/// The rules with one input at an end; unset: the input is the plan's own.
std::optional<PlanRules> rules_at(PlanRules rules, SensitiveInput input, End end) {
  ForecastRules& forecast = rules.forecast;
  CostRules& cost = rules.cost;
  const CostRules& from = end == End::low ? rules.cost_range.low : rules.cost_range.high;
  switch (input) {
    case SensitiveInput::step_time:
    case SensitiveInput::price:
    case SensitiveInput::tokens:
      return std::nullopt;
    case SensitiveInput::hardware_failures:
      set_to_end(forecast.node_failures, end);
      break;
    case SensitiveInput::software_failures:
      set_to_end(forecast.job_failures, end);
      break;
    case SensitiveInput::spot_losses:
      set_to_end(forecast.spot_losses, end);
      break;
    case SensitiveInput::restart:
      set_to_end(forecast.restart, end);
      break;
    case SensitiveInput::checkpoint_speed:
      set_to_end(forecast.checkpoint_write_per_node, end);
      set_to_end(forecast.checkpoint_read_per_node, end);
      break;
    case SensitiveInput::engineer_rate:
      cost.engineer_rate = from.engineer_rate;
      break;
    case SensitiveInput::engineer_time:
      cost.engineer_time_per_interruption = from.engineer_time_per_interruption;
      break;
    case SensitiveInput::setup_time:
      cost.setup_single_gpu = from.setup_single_gpu;
      cost.setup_data_parallel = from.setup_data_parallel;
      cost.setup_sharded = from.setup_sharded;
      cost.setup_multi_dimensional = from.setup_multi_dimensional;
      cost.setup_further_nodes = from.setup_further_nodes;
      break;
    case SensitiveInput::kept_checkpoints:
      cost.kept_checkpoints = from.kept_checkpoints;
      break;
    case SensitiveInput::kept_after_run:
      cost.kept_after_run = from.kept_after_run;
      break;
  }
  return rules;
}

class Tornado {
 public:
  Tornado(const PlanRequest& request, const PlanSet& set, const Plan& best)
      : request_(request), draws_(common_draws()), best_(best) {
    for (const Plan& plan : set.plans) {
      if (plan.verdict == best.verdict) {
        compared_.push_back(&plan);
      }
    }
    std::stable_sort(compared_.begin(), compared_.end(), [](const Plan* a, const Plan* b) {
      return a->cost->per_checkpoint() < b->cost->per_checkpoint();
    });
    compared_.resize(std::min(compared_.size(), kCompared));
  }

  std::vector<Sensitivity> run() const {
    std::vector<Sensitivity> rows;
    for (std::size_t i = 0; i < EnumNames<SensitiveInput>::value.size(); ++i) {
      Sensitivity row{.input = static_cast<SensitiveInput>(i)};
      const Choice low = at(row.input, End::low), high = at(row.input, End::high);
      row.at_low = low.cost;
      row.at_high = high.cost;
      row.cheapest_at_low = low.other;
      row.cheapest_at_high = high.other;
      if (row.width() > Usd{}) {
        rows.push_back(row);
      }
    }
    std::stable_sort(
        rows.begin(), rows.end(), [](const Sensitivity& a, const Sensitivity& b) { return a.width() > b.width(); });
    return rows;
  }

 private:
  struct Choice {
    Usd cost;                           // of the best plan at this end
    std::optional<std::int64_t> other;  // rank of the plan that would then be cheaper
  };

  std::optional<Usd> cost_of_plan(const Plan& plan, const PlanRules& rules) const {
    PlanRequest changed = request_;
    changed.rules = &rules;
    return cost_at(changed, plan, static_cast<double>(*request_.job.tokens));
  }

  /// With so many tokens, as if they had been counted.
  std::optional<Usd> cost_with_tokens(const Plan& plan, double tokens) const {
    PlanRequest changed = request_;
    changed.tokens_band = {};
    return cost_at(changed, plan, tokens);
  }

  std::optional<Usd> cost_at(const PlanRequest& changed, const Plan& plan, double tokens) const {
    const PlanContext context{.request = &changed, .draws = draws_};
    const auto forecast = forecast_of(context, plan, tokens);
    return forecast && forecast->cost ? std::optional(forecast->cost->per_checkpoint()) : std::nullopt;
  }

  Choice at(SensitiveInput input, End end) const {
    if (const std::optional<PlanRules> rules = rules_at(*request_.rules, input, end)) {
      return compared(cost_of_plan(best_, *rules), [&](const Plan& plan) { return cost_of_plan(plan, *rules); });
    }
    if (input == SensitiveInput::tokens) {
      const Band& band = request_.tokens_band;
      const double tokens = static_cast<double>(*request_.job.tokens) * (end == End::low ? band.low : band.high);
      return compared(cost_with_tokens(best_, tokens),
                      [&](const Plan& plan) { return cost_with_tokens(plan, tokens); });
    }
    Plan own = best_;
    PriceChoice price = *best_.price;
    own.price = &price;
    if (input == SensitiveInput::step_time) {
      set_to_end(own.time.step_time, end);
    } else {
      const double change = (end == End::low ? price.low : price.high) / price.offer.per_node();
      *price.offer.price.per_unit = *price.offer.price.per_unit * change;
      price.low = price.high = price.offer.per_node();
    }
    return compared(cost_of_plan(own, *request_.rules),
                    [&](const Plan& plan) { return std::optional(plan.cost->per_checkpoint()); });
  }

  template <class CostOf>
  Choice compared(const std::optional<Usd>& own, const CostOf& cost_of) const {
    Choice choice{.cost = own.value_or(best_.cost->per_checkpoint())};
    Usd least = choice.cost;
    for (const Plan* plan : compared_) {
      const std::optional<Usd> cost = plan != &best_ ? cost_of(*plan) : std::nullopt;
      if (cost && *cost < least) {
        least = *cost;
        choice.other = plan->rank;
      }
    }
    return choice;
  }

  const PlanRequest& request_;
  std::vector<Draw> draws_;
  const Plan& best_;
  std::vector<const Plan*> compared_;
};

}  // namespace

std::vector<Sensitivity> sensitivity_of(const PlanRequest& request, const PlanSet& set) {
  if (!set.cheapest) {
    return {};
  }
  return Tornado(request, set, set.plans[static_cast<std::size_t>(*set.cheapest - 1)]).run();
}

std::optional<Sensitivity> open_choice(const std::vector<Sensitivity>& rows) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [](const Sensitivity& row) { return row.changes_choice(); });
  return found == rows.end() ? std::nullopt : std::optional(*found);
}

}  // namespace mekiki
