#include "cost/rules.h"

#include "base/rule_table.h"

namespace mekiki {

namespace {

constexpr RuleKey kKeys[] = {{"kept_checkpoints", "count"},
                             {"kept_after_run", "days"},
                             {"engineer_rate", "USD/h"},
                             {"engineer_time_per_interruption", "h"},
                             {"setup_single_gpu", "h"},
                             {"setup_data_parallel", "h"},
                             {"setup_sharded", "h"},
                             {"setup_multi_dimensional", "h"},
                             {"setup_further_nodes", "h"}};

CostRules rules_of(const std::vector<Rule>& rules, double Estimate<double>::*end) {
  const auto at = [&](std::size_t i) { return rules[i].value.*end; };
  return {.kept_checkpoints = at(0),
          .kept_after_run = at(1) * kDay,
          .engineer_rate = at(2) * kUsdPerHour,
          .engineer_time_per_interruption = at(3) * kHour,
          .setup_single_gpu = at(4) * kHour,
          .setup_data_parallel = at(5) * kHour,
          .setup_sharded = at(6) * kHour,
          .setup_multi_dimensional = at(7) * kHour,
          .setup_further_nodes = at(8) * kHour};
}

}  // namespace

Result<CostRules> read_cost_rules(std::string_view csv, std::string_view subject) {
  const Result<std::vector<Rule>> rules = read_rules(csv, subject, kKeys);
  return rules ? Result<CostRules>(rules_of(*rules, &Estimate<double>::mid)) : fail(rules.error());
}

Result<CostRuleRange> read_cost_rule_range(std::string_view csv, std::string_view subject) {
  const Result<std::vector<Rule>> rules = read_rules(csv, subject, kKeys);
  return rules ? Result<CostRuleRange>(
                     CostRuleRange{rules_of(*rules, &Estimate<double>::low), rules_of(*rules, &Estimate<double>::high)})
               : fail(rules.error());
}

}  // namespace mekiki
