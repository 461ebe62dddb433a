#include "base/amount.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

namespace mekiki {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
};

constexpr double kLargestCount = 9e15;  // below 2^53: every count is exact in a double
constexpr std::size_t kLongestAmount = 64;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

Error not_a(std::string_view what, std::string_view text, std::string_view example) {
  return {ErrorCode::invalid_input,
          "",
          "\"" + std::string(text.substr(0, kLongestAmount)) + "\" is not " + std::string(what),
          "write it like " + std::string(example)};
}

struct Split {
  double number;
  std::string_view suffix;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether a comma stands before exactly three digits: "31,92" is how others write 31.92, not 3192.
bool groups_thousands(std::string_view text, std::size_t comma) {
  std::size_t end = comma + 1;
  while (end < text.size() && is_digit(text[end])) {
    ++end;
  }
  return end == comma + 4;
}

/// A decimal number (digits may be grouped by '_', or by ',' in thousands), then whatever follows. Hexadecimal, "inf"
/// and "nan" are no numbers here.
std::optional<Split> split_number(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.size() > kLongestAmount) {
    return std::nullopt;
  }
  std::string digits;
  std::size_t i = 0;
  if (text[i] == '-' || text[i] == '+') {
    digits += text[i++];
  }
  bool any = false;
  while (i < text.size() && (is_digit(text[i]) || text[i] == '.' || text[i] == '_' || text[i] == ',')) {
    any = any || is_digit(text[i]);
    if (text[i] == ',' && !groups_thousands(text, i)) {
      return std::nullopt;
    }
    if (text[i] != '_' && text[i] != ',') {
      digits += text[i];
    }
    ++i;
  }
  if (!any) {
    return std::nullopt;
  }
  const bool exponent = i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E') &&
                        (is_digit(text[i + 1]) ||
                         (i + 2 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+') && is_digit(text[i + 2])));
  if (exponent) {
    digits += text[i++];
    while (i < text.size() && (is_digit(text[i]) || text[i] == '-' || text[i] == '+')) {
      digits += text[i++];
    }
  }
  char* end = nullptr;
  const double number = std::strtod(digits.c_str(), &end);
  if (end != digits.c_str() + digits.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return Split{number, trimmed(text.substr(i))};
}

std::optional<double> scaled(std::string_view text, std::span<const Suffix> suffixes) {
  const std::optional<Split> split = split_number(text);
  if (!split) {
    return std::nullopt;
  }
  for (const Suffix& suffix : suffixes) {
    if (suffix.text == split->suffix) {
      return split->number * suffix.factor;
    }
  }
  return std::nullopt;
}

Result<std::int64_t> whole(std::string_view text,
                           std::span<const Suffix> suffixes,
                           std::string_view what,
                           std::string_view example) {
  const std::optional<double> value = scaled(text, suffixes);
  if (!value) {
    return fail(not_a(what, text, example));
  }
  if (*value < 0 || *value > kLargestCount) {
    return fail({ErrorCode::invalid_input,
                 "",
                 "\"" + std::string(trimmed(text)) + "\" is out of range",
                 "counts lie between 0 and 9e15"});
  }
  const double rounded = std::round(*value);
  if (std::abs(rounded - *value) > 1e-6 * std::max(1.0, rounded)) {
    return fail({ErrorCode::invalid_input,
                 "",
                 "\"" + std::string(trimmed(text)) + "\" is not a whole number",
                 "write it like " + std::string(example)});
  }
  return static_cast<std::int64_t>(rounded);
}

constexpr Suffix kCounts[] = {{"", 1},
                              {"k", 1e3},
                              {"K", 1e3},
                              {"m", 1e6},
                              {"M", 1e6},
                              {"b", 1e9},
                              {"B", 1e9},
                              {"G", 1e9},
                              {"t", 1e12},
                              {"T", 1e12}};
constexpr Suffix kLengths[] = {{"", 1}, {"k", 1024}, {"K", 1024}, {"M", 1024.0 * 1024.0}};
constexpr Suffix kByteUnits[] = {{"B", 1},
                                 {"KB", 1e3},
                                 {"MB", 1e6},
                                 {"GB", 1e9},
                                 {"TB", 1e12},
                                 {"KiB", 1024},
                                 {"MiB", 1048576},
                                 {"GiB", 1073741824},
                                 {"TiB", 1099511627776}};
constexpr Suffix kDurations[] = {{"s", 1},
                                 {"sec", 1},
                                 {"min", 60},
                                 {"m", 60},
                                 {"h", 3600},
                                 {"hours", 3600},
                                 {"hour", 3600},
                                 {"d", 86400},
                                 {"days", 86400},
                                 {"day", 86400},
                                 {"w", 604800}};

}  // namespace

Result<std::int64_t> parse_count(std::string_view text) {
  return whole(text, kCounts, "a count", "1000, 1B or 2.5T");
}

Result<std::int64_t> parse_sequence_length(std::string_view text) {
  return whole(text, kLengths, "a sequence length", "4096 or 4k");
}

Result<Bytes> parse_bytes(std::string_view text) {
  const std::optional<double> value = scaled(text, kByteUnits);
  if (!value || *value < 0 || *value > 1e18) {
    return fail(not_a("an amount of memory with its unit", text, "80GiB or 80GB (the two differ by 7 %)"));
  }
  return Bytes{*value};
}

Result<Seconds> parse_duration(std::string_view text) {
  const std::optional<double> value = scaled(text, kDurations);
  if (!value || *value < 0 || *value > 1e11) {
    return fail(not_a("a duration with its unit", text, "33min, 36h or 7d"));
  }
  return Seconds{*value};
}

Result<double> parse_number(std::string_view text) {
  const std::optional<Split> split = split_number(text);
  if (!split || !split->suffix.empty()) {
    return fail(not_a("a number", text, "0.2"));
  }
  return split->number;
}

}  // namespace mekiki
