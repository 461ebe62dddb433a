// Providers as a table and one by one, with what is known of each and how well; the checklist of a plan uses
// the same answers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advice/checklist.h"
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

/// The checklist with the provider's own answers where the catalogue has none.
std::vector<ChecklistEntry> answered(std::vector<ChecklistEntry> checklist,
                                     std::string_view provider,
                                     std::span<const ProviderFact> facts);

}  // namespace mekiki
