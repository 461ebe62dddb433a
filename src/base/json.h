// JSON text to a value, safe against hostile and broken files. The only door through which JSON enters.
//
// Refused, each with line and column or with a path: text that is no JSON (comments and trailing commas included),
// bytes that are no UTF-8, NUL, nesting deeper than the limit, text longer than the limit, a key given twice in one
// object, numbers beyond a double. A byte order mark is skipped. Integers beyond 64 bits become doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/result.h"

namespace mekiki {

/// Bare NaN, Infinity and -Infinity are no JSON, but Python writes them and published config.json files hold them.
/// Accepted, they read as null: an unknown, which can never pass for a size.
enum class NonFiniteNumbers : std::uint8_t { refuse, read_as_null };

struct JsonOptions {
  NonFiniteNumbers non_finite = NonFiniteNumbers::refuse;
  std::size_t depth_limit = 64;
  std::size_t size_limit = std::size_t{64} << 20;  // bytes
};

/// `subject` names the text in errors ("config.json"). Errors: invalid_input.
Result<nlohmann::json> parse_json(std::string_view text, std::string_view subject, const JsonOptions& options = {});

/// One more step of a JSON path (RFC 6901): "/layers" + "a/b" gives "/layers/a~1b".
std::string json_path(std::string_view parent, std::string_view key);
std::string json_path(std::string_view parent, std::size_t index);

}  // namespace mekiki
