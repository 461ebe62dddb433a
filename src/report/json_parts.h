// Parts that every JSON answer is made of. Keys keep the order in which they are added.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/date.h"
#include "base/error.h"
#include "base/estimate.h"
#include "base/quantity.h"

namespace mekiki {

using Json = nlohmann::ordered_json;

inline constexpr int kSchemaVersion = 1;

/// What stands at the top of every answer.
struct Envelope {
  std::string_view command;  // the verb
  std::string_view version;
  std::string_view data_digest;
  Date as_of;
};

Json json_envelope(const Envelope& envelope);

/// Nine significant digits: enough for every figure here, and the same bytes whatever the compiler.
double rounded(double value);

/// {"low", "mid", "high", "basis"} in units of `unit`.
template <class Q>
Json json_estimate(const Estimate<Q>& estimate, Q unit) {
  return {{"low", rounded(estimate.low / unit)},
          {"mid", rounded(estimate.mid / unit)},
          {"high", rounded(estimate.high / unit)},
          {"basis", name(estimate.basis)}};
}

inline double json_gib(Bytes bytes) {
  return rounded(bytes / kGiB);
}

/// Adds an unknown: null, and beside it why.
void add_unknown(Json& object, const std::string& key, std::string_view reason);

/// {"schema_version", "error": {"code", "subject", "message", "hint"}}.
Json json_error(const Error& error);

/// The answer as text, with a newline at its end. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const Json& json);

}  // namespace mekiki
