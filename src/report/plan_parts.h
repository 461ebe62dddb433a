// What text and JSON of `plan` share: sentences, facts and the checklist.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/plan_report.h"

namespace mekiki {

/// A message with values in its places.
std::string filled(std::string_view message, const std::vector<AdviceValue>& values, const Voice& say);

/// The values by key, with the unit in the key.
Json values_json(const std::vector<AdviceValue>& values);

/// The sentence of an advice.
std::string advice_text(const Advice& advice, const Voice& say);

/// A figure that decided a plan, with where it comes from.
struct DecidingFact {
  std::int64_t rank = 0;
  std::string what;  // in the voice's language
  std::string value;
  std::string source;
  std::string date;  // empty: the source has none
  std::optional<std::int64_t> age_days;
  std::string status;  // verified, derived, from_memory; for prices their staleness
};

/// Of the cheapest, the fastest and the smallest plan: memory of the GPU, network of the machine, price.
std::vector<DecidingFact> deciding_facts(const PlanSet& set, const Voice& say);

/// Ranks of the cheapest, the fastest and the smallest plan, each once.
std::vector<std::int64_t> best_ranks(const PlanSet& set);

const Plan& plan_of_rank(const PlanSet& set, std::int64_t rank);

/// "16 x GPU in 2 x SYSTEM".
std::string machine_text(const Plan& plan, const Voice& say);

}  // namespace mekiki
