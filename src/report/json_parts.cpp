#include "report/json_parts.h"

#include <cstdlib>

#include <fmt/format.h>

namespace mekiki {

Json json_envelope(const Envelope& envelope) {
  return {{"schema_version", kSchemaVersion},
          {"command", envelope.command},
          {"mekiki_version", envelope.version},
          {"data_digest", envelope.data_digest},
          {"as_of", format_date(envelope.as_of)}};
}

double rounded(double value) {
  return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}

void add_unknown(Json& object, const std::string& key, std::string_view reason) {
  object[key] = nullptr;
  object[key + "_reason"] = reason;
}

Json json_error(const Error& error) {
  return {{"schema_version", kSchemaVersion},
          {"error",
           {{"code", name(error.code)}, {"subject", error.subject}, {"message", error.message}, {"hint", error.hint}}}};
}

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mekiki
