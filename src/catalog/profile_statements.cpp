#include "catalog/profile_statements.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/json.h"
#include "job/job_values.h"

namespace mekiki {
namespace {

constexpr int kLongestChain = 8;

std::string text_of(const nlohmann::json& object, const char* key) {
  const auto value = object.find(key);
  return value != object.end() && value->is_string() ? value->get<std::string>() : std::string();
}

bool holds(const nlohmann::json& change, std::optional<Month> era) {
  const Result<Month> before = read_month(text_of(change, "era"));
  return era && before && era->months < before->months;
}

ProfileStatement statement_of(const nlohmann::json& from, const std::string& file) {
  return {file, text_of(from, "about"), text_of(from, "source"), text_of(from, "status")};
}

/// The objects of the array under `key`.
std::vector<nlohmann::json> objects_of(const nlohmann::json& json, const char* key) {
  std::vector<nlohmann::json> objects;
  const auto list = json.find(key);
  if (list != json.end() && list->is_array()) {
    std::copy_if(list->begin(), list->end(), std::back_inserter(objects), [](const auto& o) { return o.is_object(); });
  }
  return objects;
}

std::vector<ProfileStatement> statements_of(const nlohmann::json& json,
                                            const std::string& file,
                                            std::optional<Month> era) {
  std::vector<ProfileStatement> statements;
  for (const nlohmann::json& source : objects_of(json, "sources")) {
    statements.push_back(statement_of(source, file));
  }
  for (const nlohmann::json& change : objects_of(json, "before")) {
    if (holds(change, era)) {
      statements.push_back(statement_of(change, file));
    }
  }
  return statements;
}

}  // namespace

Result<std::vector<ProfileStatement>> profile_statements(std::string_view id,
                                                         const DocumentLookup& documents,
                                                         std::optional<Month> era) {
  std::vector<ProfileStatement> statements;
  for (const std::string_view kind : {"memory.json", "time.json"}) {
    std::string profile(id);
    for (int depth = 0; depth < kLongestChain && !profile.empty(); ++depth) {
      const std::string file = "data/profiles/" + profile + "/" + std::string(kind);
      const std::optional<std::string_view> text = documents(file);
      if (!text) {
        break;
      }
      const Result<nlohmann::json> json = parse_json(*text, file);
      if (!json) {
        return fail(json.error());
      }
      if (!json->is_object()) {
        return fail({ErrorCode::invalid_input, file, "an object is expected", "see data/profiles"});
      }
      for (ProfileStatement& statement : statements_of(*json, file, era)) {
        statements.push_back(std::move(statement));
      }
      profile = text_of(*json, "extends");
    }
  }
  return statements;
}

}  // namespace mekiki
