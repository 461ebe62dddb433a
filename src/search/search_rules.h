// SearchRules: how far a search looks where the user sets no limit. Data: data/rules/search.csv.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

struct SearchRules {
  std::int64_t least_gpus = 0, most_gpus = 0, most_gpus_for_time = 0;
  double states_multiple = 0;
  Seconds shortest_run;
  FlopsPerSecond assumed_rate;
  double waiting_share = 0;  // of a step; from it on a plan waits for communication
};

/// Errors as read_rules (base/rule_table.h).
Result<SearchRules> read_search_rules(std::string_view csv, std::string_view subject);

/// The largest number of GPUs to look at: a power of two that holds the states several times over, or that finishes the
/// tokens within the shortest run worth having, within the limits of the rules.
std::int64_t usual_most_gpus(const SearchRules& rules, double model_weights, double tokens);

}  // namespace mekiki
