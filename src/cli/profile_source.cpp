#include "cli/profile_source.h"


#include "base/json.h"
#include "base/letter_case.h"
#include "catalog/profile_reader.h"
#include "cli/plan_filters.h"
#include "search/plan_rules.h"

namespace mekiki {
namespace {

constexpr std::string_view kUsualPath = "data/profiles/usual.json";

Result<nlohmann::json> usual_profiles(const Context& context) {
  return parse_json(find_document(*context.catalog, kUsualPath).value_or("{}"), kUsualPath);
}

Result<std::string> usual_profile(const Context& context, const char* role) {
  const Result<nlohmann::json> json = usual_profiles(context);
  if (!json) {
    return fail(json.error());
  }
  const auto id = json->find(role);
  if (id == json->end() || !id->is_string()) {
    return fail({ErrorCode::invalid_input, std::string(kUsualPath), std::string("names no profile for ") + role, ""});
  }
  return id->get<std::string>();
}

/// The id that another way to write a framework stands for; the text itself where it is no such way.
std::string without_alias(const nlohmann::json& usual, std::string framework) {
  framework = lower_case(framework);
  const auto aliases = usual.find("aliases");
  const bool known = aliases != usual.end() && aliases->is_object() && aliases->contains(framework);
  return known && (*aliases)[framework].is_string() ? (*aliases)[framework].get<std::string>() : framework;
}

/// Of a list every name must be known: nothing stands in for one of several.
Result<std::vector<Profile>> several_profiles(const Context& context,
                                              const std::vector<std::string>& names,
                                              const std::optional<Month>& era) {
  const Result<nlohmann::json> usual = usual_profiles(context);
  if (!usual) {
    return fail(usual.error());
  }
  std::vector<Profile> profiles;
  for (const std::string& name : names) {
    Result<Profile> profile = find_profile(*context.catalog, without_alias(*usual, name), era);
    if (!profile) {
      Error error = profile.error();
      error.subject = "framework";
      return fail(std::move(error));
    }
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

}  // namespace

Result<Profile> profile_of(const Context& context, const Job& job) {
  if (job.framework.empty()) {
    const Result<std::string> usual = usual_profile(context, "fit");
    return usual ? find_profile(*context.catalog, *usual, job.era) : fail(usual.error());
  }
  const Result<nlohmann::json> json = usual_profiles(context);
  if (!json) {
    return fail(json.error());
  }
  if (names_in(job.framework).size() > 1) {
    return fail({ErrorCode::invalid_input, "framework", "names several frameworks", "only plan compares them"});
  }
  Result<Profile> profile = find_profile(*context.catalog, without_alias(*json, job.framework), job.era);
  if (profile || profile.error().code != ErrorCode::not_found) {
    return profile;
  }
  const Result<std::string> generic = usual_profile(context, "unknown_framework");
  return generic ? find_profile(*context.catalog, *generic, job.era) : fail(generic.error());
}

Result<std::vector<Profile>> profiles_of(const Context& context, const Job& job, const PlanRules& rules) {
  std::vector<Profile> profiles;
  const std::vector<std::string> named = names_in(job.framework);
  if (named.size() > 1) {
    return several_profiles(context, named, job.era);
  }
  if (!job.framework.empty()) {
    Result<Profile> profile = profile_of(context, job);
    if (!profile) {
      return fail(profile.error());
    }
    profiles.push_back(std::move(*profile));
    return profiles;
  }
  for (const std::string& id : planned_frameworks(rules)) {
    Result<Profile> profile = find_profile(*context.catalog, id);
    if (!profile) {
      return fail(profile.error());
    }
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

}  // namespace mekiki
