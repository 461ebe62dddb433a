// CostRules: what a run costs beside the machines. Assumed figures from data/rules/cost.csv; every one can be replaced.
#pragma once

#include <string_view>

#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

struct CostRules {
  double kept_checkpoints = 0;  // for resuming, during the run
  Seconds kept_after_run;       // the delivered checkpoint
  UsdPerSecond engineer_rate;
  Seconds engineer_time_per_interruption;
  Seconds setup_single_gpu;
  Seconds setup_data_parallel;
  Seconds setup_sharded;
  Seconds setup_multi_dimensional;
  Seconds setup_further_nodes;  // added where the job spans nodes
};

/// Mid values. Errors as read_rules (base/rule_table.h).
Result<CostRules> read_cost_rules(std::string_view csv, std::string_view subject);

/// The ends of their ranges.
struct CostRuleRange {
  CostRules low, high;
};
Result<CostRuleRange> read_cost_rule_range(std::string_view csv, std::string_view subject);

}  // namespace mekiki
