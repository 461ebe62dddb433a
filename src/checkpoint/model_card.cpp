#include "checkpoint/model_card.h"

#include "base/text_position.h"

namespace mekiki {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r'\"";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Takes the next line off the text.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace

std::optional<std::string> license_of(std::string_view readme) {
  readme = without_byte_order_mark(readme);
  if (trimmed(next_line(readme)) != "---") {
    return std::nullopt;
  }
  std::string license;
  std::string name;
  while (!readme.empty()) {
    const std::string_view line = next_line(readme);
    if (trimmed(line) == "---") {
      license = license == "other" && !name.empty() ? name : license;
      return license.empty() || find_invalid_utf8(license) ? std::nullopt : std::optional(license);
    }
    if (line.starts_with("license:")) {
      license = trimmed(line.substr(std::string_view("license:").size()));
    } else if (line.starts_with("license_name:")) {
      name = trimmed(line.substr(std::string_view("license_name:").size()));
    }
  }
  return std::nullopt;
}

}  // namespace mekiki
