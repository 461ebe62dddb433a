// The usual advice by workload, held against the numbers of a plan: it agrees, or the report says by how much the
// numbers differ. Data: data/rules/workloads.csv, what published buyers' guides recommend.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advice/advice.h"
#include "base/result.h"

namespace mekiki {

struct WorkloadRule {
  std::string workload;  // its name is the message "workload.ID"
  std::vector<Method> methods;
  double weights_from = 0;
  std::optional<double> weights_to;  // exclusive; unset: no end
  std::vector<std::string> gpus;     // ids, recommended
  std::optional<std::int64_t> most_gpus_in_a_node;
};

/// Errors: invalid_input with the line.
Result<std::vector<WorkloadRule>> read_workload_rules(std::string_view csv, std::string_view subject);

/// The first rule that speaks of the job; null: none does.
const WorkloadRule* workload_of(std::span<const WorkloadRule> rules, Method method, double weights);

/// Whether the cheapest fitting plan is what the rule recommends; where it is not, what the recommended GPUs would
/// cost. Empty: no rule, or no plan that fits.
std::vector<Advice> advise_workload(const PlanSet& set, std::span<const WorkloadRule> rules, double weights);

}  // namespace mekiki
