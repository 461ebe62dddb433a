#include "cli/profile_source.h"

#include "base/json.h"
#include "catalog/profile_reader.h"

namespace mekiki {
namespace {

constexpr std::string_view kUsualPath = "data/profiles/usual.json";

Result<std::string> usual_profile(const Context& context, const char* role) {
  const std::optional<std::string_view> text = find_document(*context.catalog, kUsualPath);
  const Result<nlohmann::json> json = parse_json(text.value_or("{}"), kUsualPath);
  if (!json) {
    return fail(json.error());
  }
  const auto id = json->find(role);
  if (id == json->end() || !id->is_string()) {
    return fail({ErrorCode::invalid_input, std::string(kUsualPath), std::string("names no profile for ") + role, ""});
  }
  return id->get<std::string>();
}

}  // namespace

Result<Profile> profile_of(const Context& context, const Job& job) {
  if (job.framework.empty()) {
    const Result<std::string> usual = usual_profile(context, "fit");
    return usual ? find_profile(*context.catalog, *usual) : fail(usual.error());
  }
  Result<Profile> profile = find_profile(*context.catalog, job.framework);
  if (profile || profile.error().code != ErrorCode::not_found) {
    return profile;
  }
  const Result<std::string> generic = usual_profile(context, "unknown_framework");
  return generic ? find_profile(*context.catalog, *generic) : fail(generic.error());
}

}  // namespace mekiki
