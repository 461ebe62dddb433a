#include "search/rank.h"

#include <algorithm>
#include <tuple>

namespace mekiki {
namespace {

double cost(const Plan& plan) {
  return plan.cost ? plan.cost->per_checkpoint() / kUsd : 0.0;
}

/// The last resort for equal plans: nothing but names and numbers of the request.
auto name_of(const Plan& plan) {
  return std::tuple(plan.machine->system.id,
                    plan.machine->system.gpu_id,
                    plan.machine->system.gpus,
                    plan.nodes,
                    plan.price != nullptr ? plan.price->offer.price.id : Name{});
}

bool by_objective(const Plan& a, const Plan& b, Objective objective) {
  const auto key = [&](const Plan& p) {
    const double seconds = p.wall_p50() / kSecond;
    const double bytes = p.total_memory() / kByte;
    switch (objective) {
      case Objective::cheapest:
        return std::tuple(cost(p), seconds, bytes, p.gpus());
      case Objective::fastest:
        return std::tuple(seconds, cost(p), bytes, p.gpus());
      case Objective::smallest:
        break;
    }
    return std::tuple(bytes, static_cast<double>(p.gpus()), cost(p), p.gpus());
  };
  const auto left = key(a), right = key(b);
  return left != right ? left < right : name_of(a) < name_of(b);
}

bool before(const Plan& a, const Plan& b, Objective objective) {
  return a.verdict != b.verdict ? a.verdict < b.verdict : by_objective(a, b, objective);
}

/// The best of the leading verdict: the fitting plans stand first.
std::optional<std::int64_t> best_rank(const std::vector<Plan>& plans, Objective objective) {
  const Plan* best = nullptr;
  for (const Plan& plan : plans) {
    if (plan.verdict == plans.front().verdict && (best == nullptr || by_objective(plan, *best, objective))) {
      best = &plan;
    }
  }
  return best != nullptr ? std::optional(best->rank) : std::nullopt;
}

}  // namespace

void rank_plans(PlanSet& set, Objective objective) {
  const auto order = [&](const Plan& a, const Plan& b) { return before(a, b, objective); };
  std::sort(set.plans.begin(), set.plans.end(), order);
  std::sort(set.unpriced_plans.begin(), set.unpriced_plans.end(), order);
  std::int64_t rank = 0;
  for (Plan& plan : set.plans) {
    plan.rank = ++rank;
  }
  set.pareto = pareto_front(set.plans);
  set.cheapest = best_rank(set.plans, Objective::cheapest);
  set.fastest = best_rank(set.plans, Objective::fastest);
  if (const auto smallest = best_rank(set.plans, Objective::smallest)) {
    set.smallest = SmallestProof{.rank = *smallest};
  }
}

std::vector<std::int64_t> pareto_front(const std::vector<Plan>& plans) {
  std::vector<const Plan*> by_time;
  for (const Plan& plan : plans) {
    if (plan.verdict == plans.front().verdict) {
      by_time.push_back(&plan);
    }
  }
  std::sort(by_time.begin(), by_time.end(), [](const Plan* a, const Plan* b) {
    return std::tuple(a->wall_p50().base(), cost(*a), a->rank) < std::tuple(b->wall_p50().base(), cost(*b), b->rank);
  });
  std::vector<std::int64_t> front;
  double cheapest = 0;
  for (const Plan* plan : by_time) {
    if (front.empty() || cost(*plan) < cheapest) {
      front.push_back(plan->rank);
      cheapest = cost(*plan);
    }
  }
  return front;
}

}  // namespace mekiki
