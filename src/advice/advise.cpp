#include <algorithm>

#include "advice/advice.h"

namespace mekiki {
namespace {

class SetAdviser {
 public:
  SetAdviser(const PlanSet& set, const PlanRequest& request, const AdviceRules& rules)
      : set_(set), request_(request), rules_(rules) {}

  std::vector<Advice> run() {
    verdict();
    if (set_.defaults.batch_assumed) {
      const std::int64_t length = set_.plans.empty() ? 0 : set_.plans.front().job.sequence_length;
      add(AdviceId::assumed_batch,
          AdviceLevel::note,
          0,
          {{"global_batch_size", set_.defaults.global_batch_size},
           {"tokens_per_step", set_.defaults.global_batch_size * length}});
    }
    of_the_best();
    return std::move(advice_);
  }

 private:
  void add(AdviceId id, AdviceLevel level, std::int64_t rank, std::vector<AdviceValue> values) {
    advice_.push_back({id, level, rank, std::move(values)});
  }

  const Plan* ranked(const std::optional<std::int64_t>& rank) const {
    return rank ? &set_.plans[static_cast<std::size_t>(*rank - 1)] : nullptr;
  }

  static std::vector<AdviceValue> price_of(const Plan& plan) {
    return {{"cost", plan.cost->per_checkpoint()}, {"hours", plan.run.p50}};
  }

  void verdict() {
    const Plan* best = ranked(set_.cheapest);
    if (best == nullptr) {
      add(AdviceId::nothing_fits,
          AdviceLevel::problem,
          0,
          {{"machines", static_cast<std::int64_t>(request_.market.machines.size())}});
      lighter_methods({});
      return;
    }
    std::vector<AdviceValue> values{{"gpu", std::string(best->machine->gpu->id)},
                                    {"device", best->memory.device.mid},
                                    {"capacity", best->capacity}};
    if (best->verdict == Verdict::fits) {
      values.push_back({"headroom", best->job.headroom});
      add(AdviceId::fits, AdviceLevel::note, best->rank, std::move(values));
    } else {
      values.push_back({"out_of_memory", best->oom_probability});
      add(AdviceId::tight, AdviceLevel::warning, best->rank, std::move(values));
      lighter_methods({std::string(best->machine->system.id)});
    }
    next_larger();
  }

  /// The cheapest tight plan, where it would be the cheapest of all if it fitted: what the next larger GPU costs.
  void next_larger() {
    const auto cheaper = [](const Plan* a, const Plan& b) { return a == nullptr || b.cost->total < a->cost->total; };
    const Plan* tight = nullptr;
    for (const Plan& plan : set_.plans) {
      if (plan.verdict == Verdict::tight && cheaper(tight, plan)) {
        tight = &plan;
      }
    }
    const Plan* best = ranked(set_.cheapest);
    if (tight == nullptr || best == nullptr || best->cost->total < tight->cost->total) {
      return;
    }
    const Plan* larger = nullptr;
    for (const Plan& plan : set_.plans) {
      const bool more = plan.machine->gpu->memory_reported > tight->machine->gpu->memory_reported;
      if (plan.verdict == Verdict::fits && more && cheaper(larger, plan)) {
        larger = &plan;
      }
    }
    if (larger != nullptr) {
      std::vector<AdviceValue> values = price_of(*larger);
      values.insert(values.begin(), {{"gpu", std::string(larger->machine->gpu->id)}, {"rank", larger->rank}});
      add(AdviceId::next_larger_gpu, AdviceLevel::note, tight->rank, std::move(values));
    }
  }

  /// Adapters instead of all weights, on these systems (empty: on any).
  void lighter_methods(std::vector<std::string> systems) {
    const Method asked = request_.job.method.value_or(Method::full);
    for (const Method method : {Method::lora, Method::qlora}) {
      if (asked == method || asked == Method::qlora) {
        continue;
      }
      PlanRequest lighter = request_;
      lighter.job.method = method;
      lighter.job.quantization.reset();
      if (!systems.empty()) {
        lighter.filters.systems = systems;
      }
      const Result<PlanSet> set = plan(lighter);
      if (!set || !set->cheapest) {
        continue;
      }
      const Plan& best = set->plans[static_cast<std::size_t>(*set->cheapest - 1)];
      if (best.verdict == Verdict::fits) {
        std::vector<AdviceValue> values = price_of(best);
        values.insert(values.begin(),
                      {{"method", std::string(enum_name(method))}, {"gpu", std::string(best.machine->gpu->id)}});
        add(AdviceId::lighter_method, AdviceLevel::note, 0, std::move(values));
      }
    }
  }

  void joined_alternative(const Plan& waiting) {
    const Plan* best = nullptr;
    for (const Plan& plan : set_.plans) {
      const LinkKind link = plan.machine->cluster.link;
      const bool joined = plan.gpus() == 1 || (link != LinkKind::pcie && link != LinkKind::none);
      if (plan.verdict == Verdict::fits && joined && (best == nullptr || plan.cost->total < best->cost->total)) {
        best = &plan;
      }
    }
    if (best != nullptr) {
      std::vector<AdviceValue> values = price_of(*best);
      values.insert(values.begin(), {{"system", std::string(best->machine->system.id)}, {"rank", best->rank}});
      add(AdviceId::joined_alternative, AdviceLevel::note, waiting.rank, std::move(values));
    }
  }

  void of_the_best() {
    std::vector<std::int64_t> ranks;
    for (const std::optional<std::int64_t>& rank :
         {set_.cheapest, set_.fastest, set_.smallest ? std::optional(set_.smallest->rank) : std::nullopt}) {
      if (rank && std::find(ranks.begin(), ranks.end(), *rank) == ranks.end()) {
        ranks.push_back(*rank);
      }
    }
    for (const std::int64_t rank : ranks) {
      const Plan& plan = *ranked(rank);
      for (Advice& advice : advise_plan(plan, rules_)) {
        advice_.push_back(std::move(advice));
      }
      if (plan.waits_for_communication) {
        joined_alternative(plan);
      }
    }
  }

  const PlanSet& set_;
  const PlanRequest& request_;
  const AdviceRules& rules_;
  std::vector<Advice> advice_;
};

}  // namespace

std::vector<Advice> advise(const PlanSet& set, const PlanRequest& request, const AdviceRules& rules) {
  return SetAdviser(set, request, rules).run();
}

}  // namespace mekiki
