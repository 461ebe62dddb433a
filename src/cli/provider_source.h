// What is known of providers, and which of them meet the requirements of a request.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "cost/provider_fact.h"

namespace mekiki {

/// data/providers/facts.csv. Errors: those of its reader; not_found where the catalogue lacks it.
Result<std::vector<ProviderFact>> provider_facts(const Context& context);

/// Ids of the providers that are known to meet all of them, in the order of the catalogue; owned machines meet nothing.
/// Errors: those of parse_requirement; not_found where nobody is known to.
Result<std::vector<std::string>> providers_that_meet(const Context& context,
                                                     std::span<const ProviderFact> facts,
                                                     std::span<const std::string> requirements);

}  // namespace mekiki
