#include "search/search_rules.h"

#include <algorithm>
#include <bit>

#include "base/rule_table.h"

namespace mekiki {

Result<SearchRules> read_search_rules(std::string_view csv, std::string_view subject) {
  constexpr RuleKey kKeys[] = {{"least_gpus", "count"},
                               {"most_gpus", "count"},
                               {"most_gpus_for_time", "count"},
                               {"states_multiple", "count"},
                               {"shortest_run", "days"},
                               {"assumed_rate", "TFLOP/s"},
                               {"waiting_share", "share"}};
  const Result<std::vector<Rule>> rules = read_rules(csv, subject, kKeys);
  if (!rules) {
    return fail(rules.error());
  }
  const auto mid = [&](std::size_t i) { return (*rules)[i].value.mid; };
  const auto count = [&](std::size_t i) { return static_cast<std::int64_t>(mid(i)); };
  return SearchRules{.least_gpus = count(0),
                     .most_gpus = count(1),
                     .most_gpus_for_time = count(2),
                     .states_multiple = mid(3),
                     .shortest_run = mid(4) * kDay,
                     .assumed_rate = mid(5) * kTflopPerSecond,
                     .waiting_share = mid(6)};
}

std::int64_t usual_most_gpus(const SearchRules& rules, double model_weights, double tokens) {
  constexpr Bytes kStatesPerWeight{16.0}, kUsualMemory{80e9};
  const double for_states = rules.states_multiple * model_weights * (kStatesPerWeight / kUsualMemory);
  const Flops work{6.0 * model_weights * tokens};
  const double for_time =
      std::min(work / rules.assumed_rate / rules.shortest_run, static_cast<double>(rules.most_gpus_for_time));
  const double wanted = std::clamp(
      std::max(for_states, for_time), static_cast<double>(rules.least_gpus), static_cast<double>(rules.most_gpus));
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
}

}  // namespace mekiki
