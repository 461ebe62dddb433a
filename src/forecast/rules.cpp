#include "forecast/rules.h"

#include "base/rule_table.h"

namespace mekiki {
namespace {

constexpr RuleKey kKeys[] = {{"node_failures", "per 1000 node-days of 8 GPUs"},
                             {"job_failures", "per day"},
                             {"spot_losses", "per instance-hour"},
                             {"restart", "s"},
                             {"checkpoint_write_per_node", "GB/s"},
                             {"checkpoint_read_per_node", "GB/s"}};

template <class Q>
Estimate<Q> in(const Rule& rule, Q unit) {
  const Estimate<double>& v = rule.value;
  return {v.low * unit, v.mid * unit, v.high * unit, v.basis};
}

}  // namespace

Result<ForecastRules> read_forecast_rules(std::string_view csv, std::string_view subject) {
  const Result<std::vector<Rule>> read = read_rules(csv, subject, kKeys);
  if (!read) {
    return fail(read.error());
  }
  const std::vector<Rule>& rules = *read;
  for (const Rule& rule : rules) {
    if (!(rule.value.low > 0)) {
      return fail({ErrorCode::invalid_input, std::string(subject), rule.key + " must be above 0", ""});
    }
  }
  constexpr PerSecond kPerDay{1.0 / 86400.0};
  constexpr PerSecond kPerHour{1.0 / 3600.0};
  return ForecastRules{.node_failures = in(rules[0], kPerDay / 1000.0),
                       .job_failures = in(rules[1], kPerDay),
                       .spot_losses = in(rules[2], kPerHour),
                       .restart = in(rules[3], kSecond),
                       .checkpoint_write_per_node = in(rules[4], kGBPerSecond),
                       .checkpoint_read_per_node = in(rules[5], kGBPerSecond)};
}

}  // namespace mekiki
