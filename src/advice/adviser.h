// All advice of a plan: the verdict and its ways out, the choice in steps, the usual advice, mistakes and the goal.
#pragma once

#include <optional>
#include <vector>

#include "advice/advice.h"
#include "advice/base_model.h"
#include "advice/goal.h"
#include "advice/workload.h"

namespace mekiki {

struct AdviceBook {
  AdviceRules rules;
  std::vector<WorkloadRule> workloads;
  std::optional<Goal> goal;  // as the user gave it
  BaseModel base;
};

/// In the order of what a reader needs first.
std::vector<Advice> advise_all(const PlanSet& set, const PlanRequest& request, const AdviceBook& book);

}  // namespace mekiki
