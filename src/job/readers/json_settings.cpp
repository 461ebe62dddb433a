#include <map>
#include <utility>

#include "base/json.h"
#include "job/readers/setting.h"

namespace mekiki {
namespace {

std::string under(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::string item_of(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

// Where the keys stand in JSON text that was parsed before, so that its grammar is beyond doubt. Keys with escapes are
// not found: no key that a reader knows has any.
class KeyPlaces {
 public:
  explicit KeyPlaces(std::string_view text) : text_(text) {
    while (at_ < text_.size()) {
      step();
    }
  }

  TextPosition of(const std::string& path) const {
    const auto found = offsets_.find(path);
    return found == offsets_.end() ? TextPosition{} : position_at(text_, found->second);
  }

 private:
  struct Open {
    std::string path;
    bool is_list = false;
    std::size_t index = 0;
    std::string key;
  };

  std::string child() const {
    if (open_.empty()) {
      return "";
    }
    const Open& parent = open_.back();
    return parent.is_list ? item_of(parent.path, parent.index) : under(parent.path, parent.key);
  }

  void step() {
    const char c = text_[at_];
    if (c == '"') {
      return string();
    }
    if (c == '{' || c == '[') {
      open_.push_back({child(), c == '[', 0, ""});
      awaits_key_ = c == '{';
    } else if ((c == '}' || c == ']') && !open_.empty()) {
      open_.pop_back();
      awaits_key_ = false;
    } else if (c == ',' && !open_.empty()) {
      open_.back().index += 1;
      awaits_key_ = !open_.back().is_list;
    }
    ++at_;
  }

  void string() {
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    if (awaits_key_ && !open_.empty()) {
      open_.back().key = text_.substr(begin + 1, at_ - begin - 1);
      offsets_.emplace(child(), begin);
      awaits_key_ = false;
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool awaits_key_ = false;
  std::vector<Open> open_;
  std::map<std::string, std::size_t> offsets_;
};

std::optional<std::string> plain_value(const nlohmann::json& value) {
  if (value.is_null()) {
    return std::nullopt;
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool is_plain_list(const nlohmann::json& list) {
  for (const nlohmann::json& item : list) {
    if (item.is_structured()) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> joined(const nlohmann::json& list) {
  std::string text;
  for (const nlohmann::json& item : list) {
    text += (text.empty() ? "" : ",") + plain_value(item).value_or("");
  }
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

// Depth is limited by the parser.
void flatten(const nlohmann::json& value,
             const std::string& path,
             const KeyPlaces& places,
             std::vector<Setting>& settings) {
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      flatten(item, under(path, key), places, settings);
    }
  } else if (value.is_array() && !is_plain_list(value)) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      flatten(value[i], item_of(path, i), places, settings);
    }
  } else {
    settings.push_back({path, value.is_array() ? joined(value) : plain_value(value), places.of(path)});
  }
}

}  // namespace

Result<std::vector<Setting>> read_json_settings(std::string_view text,
                                                std::string_view subject,
                                                const SettingsLimits& limits) {
  const Result<nlohmann::json> json = parse_json(
      text,
      subject,
      {.non_finite = NonFiniteNumbers::read_as_null, .depth_limit = limits.depth, .size_limit = limits.size});
  if (!json) {
    return fail(json.error());
  }
  if (!json->is_object()) {
    return fail({ErrorCode::invalid_input, std::string(subject), "is no object of keys", "write {\"key\": value}"});
  }
  std::vector<Setting> settings;
  flatten(*json, "", KeyPlaces(text), settings);
  return settings;
}

}  // namespace mekiki
