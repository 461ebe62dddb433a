#include "cli/provider_source.h"

#include <algorithm>

#include "catalog/catalog.h"

namespace mekiki {

Result<std::vector<ProviderFact>> provider_facts(const Context& context) {
  constexpr std::string_view kPath = "data/providers/facts.csv";
  const std::optional<std::string_view> text = find_document(*context.catalog, kPath);
  if (!text) {
    return fail({ErrorCode::not_found, std::string(kPath), "the catalogue lacks it", ""});
  }
  return read_provider_facts(*text, kPath, context.catalog->providers);
}

Result<std::vector<std::string>> providers_that_meet(const Context& context,
                                                     std::span<const ProviderFact> facts,
                                                     std::span<const std::string> requirements) {
  std::vector<Requirement> wanted;
  for (const std::string& text : requirements) {
    Result<Requirement> requirement = parse_requirement(text);
    if (!requirement) {
      return fail(requirement.error());
    }
    wanted.push_back(std::move(*requirement));
  }
  std::vector<std::string> ids;
  for (const Provider& provider : context.catalog->providers) {
    const bool all = std::all_of(wanted.begin(), wanted.end(), [&](const Requirement& requirement) {
      return meets(facts, provider.id, requirement);
    });
    if (all) {
      ids.emplace_back(provider.id);
    }
  }
  if (ids.empty()) {
    return fail({ErrorCode::not_found,
                 "require",
                 "no provider is known to meet this",
                 "`mekiki providers` shows what is known; unknown is not met"});
  }
  return ids;
}

}  // namespace mekiki
