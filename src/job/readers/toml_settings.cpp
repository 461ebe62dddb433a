#include <optional>
#include <sstream>
#include <utility>

// The parser of 3.3 assumes of "[[[" what it asserts in debug builds, and has an error for it behind the assumption:
// neither assumed nor asserted, the error is what comes.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 1
#include <toml++/toml.h>

#include "job/file_text.h"
#include "job/readers/setting.h"

namespace mekiki {
namespace {

TextPosition position_of(const toml::source_position& position) {
  return {position.line, position.column};
}

std::string plain_value(const toml::node& node) {
  if (const auto* text = node.as_string()) {
    return text->get();
  }
  if (const auto* flag = node.as_boolean()) {
    return flag->get() ? "true" : "false";
  }
  if (const auto* number = node.as_integer()) {
    return std::to_string(number->get());
  }
  std::ostringstream text;
  text << toml::default_formatter(node);
  return text.str();
}

bool is_plain_list(const toml::array& list) {
  for (const toml::node& item : list) {
    if (item.is_table() || item.is_array()) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> joined(const toml::array& list) {
  std::string text;
  for (const toml::node& item : list) {
    text += (text.empty() ? "" : ",") + plain_value(item);
  }
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

class Flattener {
 public:
  explicit Flattener(std::size_t depth_limit) : depth_limit_(depth_limit) {}

  std::vector<Setting> settings;
  std::optional<TextPosition> too_deep;

  void table(const toml::table& table, const std::string& path, std::size_t depth) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      add(node, path.empty() ? name : path + "." + name, depth);
    }
  }

 private:
  void add(const toml::node& node, const std::string& path, std::size_t depth) {
    if (depth >= depth_limit_) {
      too_deep = position_of(node.source().begin);
      return;
    }
    if (const toml::table* inner = node.as_table()) {
      return table(*inner, path, depth + 1);
    }
    const toml::array* list = node.as_array();
    if (list == nullptr) {
      settings.push_back({path, plain_value(node), position_of(node.source().begin)});
    } else if (is_plain_list(*list)) {
      settings.push_back({path, joined(*list), position_of(node.source().begin)});
    } else {
      std::size_t index = 0;
      for (const toml::node& item : *list) {
        add(item, path + "[" + std::to_string(index++) + "]", depth + 1);
      }
    }
  }

  std::size_t depth_limit_;
};

// The parser counts brackets that nest, but not dotted keys, of which each dot makes a table in a table.
std::optional<std::size_t> find_too_dotted(std::string_view text, std::size_t depth_limit) {
  std::size_t dots = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      quote = 0;
      dots = 0;
    } else if (quote != 0) {
      quote = c == quote ? char{0} : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (std::string_view("=,{}[]").find(c) != std::string_view::npos) {
      dots = 0;
    } else if (c == '.' && ++dots > depth_limit) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<Setting>> read_toml_settings(std::string_view text,
                                                std::string_view subject,
                                                const SettingsLimits& limits) {
  const auto refused = [&](TextPosition position, std::string message, std::string hint) {
    return fail({ErrorCode::invalid_input, place_in(subject, position), std::move(message), std::move(hint)});
  };
  const std::string too_deep = "is nested deeper than " + std::to_string(limits.depth) + " levels";
  if (const std::optional<std::size_t> offset = find_too_dotted(text, limits.depth)) {
    return refused(position_at(text, *offset), too_deep, "flatten the file");
  }
  Flattener flattener(limits.depth);
  try {
    flattener.table(toml::parse(text), "", 0);
  } catch (const toml::parse_error& error) {
    return refused(position_of(error.source().begin),
                   "is no TOML: " + std::string(error.description()),
                   "check the line before it too");
  }
  if (flattener.too_deep) {
    return refused(*flattener.too_deep, too_deep, "flatten the file");
  }
  return std::move(flattener.settings);
}

}  // namespace mekiki
