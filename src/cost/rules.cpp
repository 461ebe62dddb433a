#include "cost/rules.h"

#include "base/rule_table.h"

namespace mekiki {

Result<CostRules> read_cost_rules(std::string_view csv, std::string_view subject) {
  constexpr RuleKey kKeys[] = {{"kept_checkpoints", "count"},
                               {"kept_after_run", "days"},
                               {"engineer_rate", "USD/h"},
                               {"engineer_time_per_interruption", "h"},
                               {"setup_single_gpu", "h"},
                               {"setup_data_parallel", "h"},
                               {"setup_sharded", "h"},
                               {"setup_multi_dimensional", "h"},
                               {"setup_further_nodes", "h"}};
  const Result<std::vector<Rule>> rules = read_rules(csv, subject, kKeys);
  if (!rules) {
    return fail(rules.error());
  }
  const auto mid = [&](std::size_t i) { return (*rules)[i].value.mid; };
  return CostRules{.kept_checkpoints = mid(0),
                   .kept_after_run = mid(1) * kDay,
                   .engineer_rate = mid(2) * kUsdPerHour,
                   .engineer_time_per_interruption = mid(3) * kHour,
                   .setup_single_gpu = mid(4) * kHour,
                   .setup_data_parallel = mid(5) * kHour,
                   .setup_sharded = mid(6) * kHour,
                   .setup_multi_dimensional = mid(7) * kHour,
                   .setup_further_nodes = mid(8) * kHour};
}

}  // namespace mekiki
