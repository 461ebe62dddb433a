#include "advice/steps.h"

#include "advice/ranked.h"

namespace mekiki {
namespace {

std::string gpu_of(const Plan& plan) {
  return std::string(plan.machine->gpu->id);
}

std::string provider_of(const Plan& plan) {
  return std::string(plan.machine->system.provider);
}

Advice hardware_step(const PlanSet& set, const Plan& best) {
  const Plan* next = cheapest_fitting(set, [&](const Plan& plan) { return plan.machine->gpu != best.machine->gpu; });
  std::vector<AdviceValue> values{{"gpu", gpu_of(best)}, {"gpus", best.gpus()}, {"cost", best.cost->per_checkpoint()}};
  if (next == nullptr) {
    return {AdviceId::hardware_step_alone, AdviceLevel::note, best.rank, std::move(values)};
  }
  values.insert(values.end(), {{"next_gpu", gpu_of(*next)}, {"next_cost", next->cost->per_checkpoint()}});
  return {AdviceId::hardware_step, AdviceLevel::note, best.rank, std::move(values)};
}

Advice provider_step(const PlanSet& set, const Plan& best) {
  const Plan* next = cheapest_fitting(set, [&](const Plan& plan) {
    return plan.machine->gpu == best.machine->gpu && provider_of(plan) != provider_of(best);
  });
  std::vector<AdviceValue> values{
      {"gpu", gpu_of(best)}, {"provider", provider_of(best)}, {"cost", best.cost->per_checkpoint()}};
  if (next == nullptr) {
    return {AdviceId::provider_step_alone, AdviceLevel::note, best.rank, std::move(values)};
  }
  values.insert(values.end(), {{"next_provider", provider_of(*next)}, {"next_cost", next->cost->per_checkpoint()}});
  return {AdviceId::provider_step, AdviceLevel::note, best.rank, std::move(values)};
}

/// Shares of what may be used; without a limit the plan's own figure.
Advice axes(const Plan& best, const PlanFilters& filters) {
  std::vector<AdviceValue> values{{"memory", best.memory.device.mid * (1.0 + best.job.headroom) / best.capacity},
                                  {"network", best.share_waiting}};
  values.push_back(filters.deadline ? AdviceValue{"scale", best.run.p90 / *filters.deadline}
                                    : AdviceValue{"scale", best.run.p90});
  values.push_back(filters.budget ? AdviceValue{"budget", best.cost->total_p90 / *filters.budget}
                                  : AdviceValue{"budget", best.cost->total_p90});
  return {AdviceId::axes, AdviceLevel::note, best.rank, std::move(values)};
}

AdviceId pattern_of(const Plan& plan) {
  const PriceKind kind = plan.price->offer.price.kind;
  if (kind == PriceKind::spot || kind == PriceKind::marketplace) {
    return AdviceId::buy_interruptible;
  }
  if (plan.nodes > 1) {
    return AdviceId::buy_committed;
  }
  if (trains_adapters_only(plan.job.method) && plan.gpus() == 1) {
    return AdviceId::buy_card;
  }
  return plan.gpus() == 1 ? AdviceId::buy_on_demand : AdviceId::buy_node;
}

}  // namespace

std::vector<Advice> advise_steps(const PlanSet& set, const PlanFilters& filters) {
  const Plan* best = cheapest_fitting(set);
  return best == nullptr
             ? std::vector<Advice>{}
             : std::vector<Advice>{hardware_step(set, *best), provider_step(set, *best), axes(*best, filters)};
}

std::vector<Advice> advise_purchase(const PlanSet& set) {
  const Plan* best = cheapest_fitting(set);
  if (best == nullptr) {
    return {};
  }
  const Usd machines = best->cost->term(CostTermKind::gpu).amount.value_or(Usd{});
  return {{pattern_of(*best),
           AdviceLevel::note,
           best->rank,
           {{"gpus", best->gpus()},
            {"nodes", best->nodes},
            {"hours", best->run.p50},
            {"machines", machines},
            {"share", machines / best->cost->total},
            {"interruptions", best->run.interruptions}}}};
}

}  // namespace mekiki
