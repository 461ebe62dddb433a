// Providers as a table and one by one, with what is known of each and how well; every plan's checklist uses the same
// answers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/provider_fact.h"
#include "report/json_parts.h"
#include "report/listing.h"
#include "report/voice.h"

namespace mekiki {

Listing providers_listing(const std::vector<const Provider*>& providers,
                          std::span<const ProviderFact> facts,
                          const Voice& say);
std::string providers_footer(const Voice& say);

/// Everything that is known of these, with evidence, source and day; what is unknown is said too.
std::string provider_details(const std::vector<const Provider*>& providers,
                             std::span<const ProviderFact> facts,
                             const Voice& say);

Json providers_json(const std::vector<const Provider*>& providers,
                    std::span<const ProviderFact> facts,
                    const Envelope& envelope,
                    const Voice& say);

/// The facts that answer a question of the checklist for this provider; empty: nobody said.
std::vector<const ProviderFact*> checklist_answers(std::string_view question,
                                                   std::string_view provider,
                                                   std::span<const ProviderFact> facts);

}  // namespace mekiki
