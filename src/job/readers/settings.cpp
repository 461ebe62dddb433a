#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "job/file_text.h"
#include "job/readers/setting.h"

namespace mekiki {
namespace {

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = line.find_first_not_of(kBlank);
  return first == std::string_view::npos ? std::string_view{}
                                         : line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

// The next line that is neither empty nor a comment; takes it and what stands before it away from `text`.
std::string_view next_line(std::string_view& text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.front() != '#') {
      return line;
    }
  }
  return {};
}

// "key:" or "key: value".
bool begins_mapping(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos || line.substr(0, colon).find_first_of(" \t") != colon) {
    return line.starts_with("---") && trimmed(line.substr(3)).empty();
  }
  return colon + 1 == line.size() || line[colon + 1] == ' ' || line[colon + 1] == '\t';
}

// "[section]" or "key = value"; a shell allows no blanks around "=".
bool begins_toml(std::string_view line) {
  if (line.front() == '[') {
    return line.find(']') != std::string_view::npos && line.find_first_of(", ") > line.find(']');
  }
  const std::size_t equals = line.find(" = ");
  return equals != std::string_view::npos && line.substr(0, equals).find(' ') == std::string_view::npos;
}

bool has_option(std::string_view line) {
  const std::size_t dashes = line.starts_with("--") ? 0 : line.find(" --");
  if (dashes == std::string_view::npos) {
    return false;
  }
  const std::size_t name = line.find_first_not_of(" -", dashes);
  return name != std::string_view::npos && std::isalpha(static_cast<unsigned char>(line[name])) != 0;
}

Result<std::vector<Setting>> read_by(Syntax syntax,
                                     std::string_view text,
                                     std::string_view subject,
                                     const SettingsLimits& limits) {
  switch (syntax) {
    case Syntax::yaml:
      return read_yaml_settings(text, subject, limits);
    case Syntax::json:
      return read_json_settings(text, subject, limits);
    case Syntax::toml:
      return read_toml_settings(text, subject, limits);
    case Syntax::command:
      return read_command_settings(text, subject, limits);
  }
  return std::vector<Setting>{};
}

void mark_repeated(std::vector<Setting>& settings) {
  std::set<std::string_view> seen;
  for (Setting& setting : settings) {
    // Words and commands are many by nature, and a script sets its variables anew as it goes.
    const bool may_repeat =
        setting.key == kWordKey || setting.key == kFurtherCommandKey || setting.key.starts_with(kVariablePrefix);
    setting.given_before = !may_repeat && !seen.insert(setting.key).second;
  }
}

}  // namespace

Syntax syntax_of(std::string_view text) {
  const std::string_view first = next_line(text);
  if (first.starts_with('{')) {
    return Syntax::json;
  }
  if (first.empty() || begins_mapping(first)) {
    return Syntax::yaml;
  }
  if (begins_toml(first)) {
    return Syntax::toml;
  }
  for (std::string_view line = first; !line.empty(); line = next_line(text)) {
    if (has_option(line)) {
      return Syntax::command;
    }
  }
  return Syntax::yaml;
}

Result<SettingsFile> read_settings(std::string_view text, std::string_view subject, const SettingsLimits& limits) {
  text = without_byte_order_mark(text);
  if (const Status status = check_file_text(text, subject, limits.size); !status) {
    return fail(status.error());
  }
  SettingsFile file{.subject = std::string(subject), .syntax = syntax_of(text)};
  Result<std::vector<Setting>> settings = read_by(file.syntax, text, subject, limits);
  if (!settings) {
    return fail(settings.error());
  }
  file.settings = std::move(*settings);
  std::stable_sort(file.settings.begin(), file.settings.end(), [](const Setting& left, const Setting& right) {
    return std::pair(left.position.line, left.position.column) < std::pair(right.position.line, right.position.column);
  });
  mark_repeated(file.settings);
  return file;
}

}  // namespace mekiki
