#include "model/config_reader.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "model/harmless_keys.h"

namespace mekiki {
namespace {

std::string shortened(const nlohmann::json& value) {
  constexpr std::size_t kLimit = 60;
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > kLimit) {
    text.resize(kLimit);
    text += "...";
  }
  return text;
}

const nlohmann::json& empty_object() {
  static const nlohmann::json empty = nlohmann::json::object();
  return empty;
}

}  // namespace

ConfigReader::ConfigReader(const nlohmann::json& object, std::string path, ReadLog& log)
    : object_(&object), path_(std::move(path)), log_(&log) {
  log_->sections.emplace(path_, object_);
}

bool ConfigReader::has(std::string_view key) const {
  const auto found = object_->find(key);
  return found != object_->end() && !found->is_null();
}

bool ConfigReader::is_text(std::string_view key) const {
  const auto found = object_->find(key);
  return found != object_->end() && found->is_string();
}

const nlohmann::json* ConfigReader::find(std::string_view key) {
  log_->read.insert(subject(key));
  const auto found = object_->find(key);
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

std::string ConfigReader::subject(std::string_view key) const {
  return key.empty() ? path_ : json_path(path_, key);
}

void ConfigReader::record(ErrorCode code, std::string_view key, std::string message, std::string hint) {
  if (!log_->first_error) {
    log_->first_error = Error{code, subject(key), std::move(message), std::move(hint)};
  }
}

void ConfigReader::refuse(std::string_view key, std::string message, std::string hint) {
  record(ErrorCode::invalid_input, key, std::move(message), std::move(hint));
}

void ConfigReader::refuse_unsupported(std::string_view key, std::string message, std::string hint) {
  record(ErrorCode::unsupported, key, std::move(message), std::move(hint));
}

std::int64_t ConfigReader::integer(const nlohmann::json& value, std::string_view key, Range range) {
  const std::string bounds = std::to_string(range.low) + " to " + std::to_string(range.high);
  if (!value.is_number_integer()) {
    refuse(key, "must be an integer, is " + shortened(value), "give an integer from " + bounds);
    return range.low;
  }
  const bool beyond_int64 =
      value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  const std::int64_t number = beyond_int64 ? INT64_MAX : value.get<std::int64_t>();
  if (number < range.low || number > range.high) {
    refuse(key, "must be from " + bounds + ", is " + shortened(value), "check the config");
    return range.low;
  }
  return number;
}

std::int64_t ConfigReader::required(std::string_view key, Range range) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    refuse(key, "is missing", "this model type needs it");
    return range.low;
  }
  return integer(*value, key, range);
}

std::int64_t ConfigReader::any_of(std::initializer_list<std::string_view> keys, Range range) {
  std::string names;
  for (const std::string_view key : keys) {
    if (const nlohmann::json* value = find(key)) {
      return integer(*value, key, range);
    }
    names += names.empty() ? "" : ", ";
    names += key;
  }
  refuse(*keys.begin(), "is missing", "this model type needs one of " + names);
  return range.low;
}

std::optional<std::int64_t> ConfigReader::optional(std::string_view key, Range range) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  return integer(*value, key, range);
}

std::int64_t ConfigReader::or_default(std::string_view key, std::int64_t fallback, Range range) {
  return optional(key, range).value_or(fallback);
}

std::int64_t ConfigReader::or_class_default(std::string_view key, std::int64_t fallback, Range range) {
  const std::optional<std::int64_t> value = optional(key, range);
  if (!value) {
    warn(ConfigWarningKind::class_default, key, std::to_string(fallback));
  }
  return value.value_or(fallback);
}

bool ConfigReader::flag(std::string_view key, bool fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return fallback && !present(key);
  }
  if (!value->is_boolean()) {
    refuse(key, "must be true or false, is " + shortened(*value));
    return fallback;
  }
  return value->get<bool>();
}

double ConfigReader::rate(std::string_view key, double fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  if (!value->is_number()) {
    refuse(key, "must be a number, is " + shortened(*value));
    return fallback;
  }
  const auto number = value->get<double>();
  if (!(number >= 0.0 && number <= 1.0)) {
    refuse(key, "must be from 0 to 1, is " + shortened(*value));
    return fallback;
  }
  return number;
}

double ConfigReader::number(std::string_view key, double fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  return any_number(*value, key);
}

std::vector<double> ConfigReader::numbers(std::string_view key) {
  std::vector<double> found;
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return found;
  }
  if (!value->is_array()) {
    refuse(key, "must be a list of numbers, is " + shortened(*value));
    return found;
  }
  for (const nlohmann::json& item : *value) {
    found.push_back(any_number(item, key));
  }
  return found;
}

double ConfigReader::any_number(const nlohmann::json& value, std::string_view key) {
  constexpr double kLimit = 1e9;
  const double number = value.is_number() ? value.get<double>() : -1.0;
  if (!(number >= 0.0 && number <= kLimit)) {
    refuse(key, "must be a number from 0 to 1e9, is " + shortened(value));
    return 0.0;
  }
  return number;
}

std::optional<std::int64_t> ConfigReader::integer_of_all(std::string_view key, Range range) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_array()) {
    return integer(*value, key, range);
  }
  const std::vector<std::int64_t> all = integers(key, range);
  if (all.empty()) {
    refuse(key, "must be an integer or a list of them, is an empty list");
    return range.low;
  }
  if (std::any_of(all.begin(), all.end(), [&](std::int64_t one) { return one != all.front(); })) {
    refuse_unsupported(key, "layers of different sizes are not modelled for this type");
  }
  return all.front();
}

std::string_view ConfigReader::text(std::string_view key, std::string_view fallback) {
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return fallback;
  }
  if (!value->is_string()) {
    refuse(key, "must be a string, is " + shortened(*value));
    return fallback;
  }
  return value->get_ref<const std::string&>();
}

std::vector<std::string_view> ConfigReader::texts(std::string_view key) {
  std::vector<std::string_view> found;
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return found;
  }
  if (!value->is_array()) {
    refuse(key, "must be a list of strings, is " + shortened(*value));
    return found;
  }
  for (const nlohmann::json& item : *value) {
    if (!item.is_string()) {
      refuse(key, "must be a list of strings, holds " + shortened(item));
      return {};
    }
    found.emplace_back(item.get_ref<const std::string&>());
  }
  return found;
}

std::vector<std::int64_t> ConfigReader::integers(std::string_view key, Range range) {
  std::vector<std::int64_t> found;
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return found;
  }
  if (!value->is_array()) {
    refuse(key, "must be a list of integers, is " + shortened(*value));
    return found;
  }
  for (const nlohmann::json& item : *value) {
    found.push_back(integer(item, key, range));
  }
  return found;
}

ConfigReader ConfigReader::section(std::string_view key) {
  const nlohmann::json* value = find(key);
  if (value != nullptr && !value->is_object()) {
    refuse(key, "must be an object, is " + shortened(*value));
    value = nullptr;
  }
  return {value == nullptr ? empty_object() : *value, subject(key), *log_};
}

std::vector<ConfigReader> ConfigReader::sections(std::string_view key) {
  std::vector<ConfigReader> found;
  const nlohmann::json* value = find(key);
  if (value == nullptr) {
    return found;
  }
  if (!value->is_array()) {
    refuse(key, "must be a list of objects, is " + shortened(*value));
    return found;
  }
  for (const nlohmann::json& item : *value) {
    if (!item.is_object()) {
      refuse(key, "must be a list of objects, holds " + shortened(item));
      return {};
    }
    found.push_back({item, json_path(subject(key), std::to_string(found.size())), *log_});
  }
  return found;
}

void ConfigReader::ignore(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    log_->read.insert(subject(key));
  }
}

void ConfigReader::warn(ConfigWarningKind kind, std::string_view key, std::string value) {
  log_->warnings.push_back({kind, subject(key), std::move(value)});
}

void ConfigReader::ignore_rest() {
  for (const auto& [key, value] : object_->items()) {
    log_->read.insert(subject(key));
  }
}

std::vector<ConfigWarning> unread_keys(const ReadLog& log) {
  std::vector<ConfigWarning> warnings;
  for (const auto& [path, object] : log.sections) {
    for (const auto& [key, value] : object->items()) {
      const std::string subject = json_path(path, key);
      if (!log.read.contains(subject) && !is_harmless_key(key)) {
        warnings.push_back({ConfigWarningKind::unread_key, subject, shortened(value)});
      }
    }
  }
  return warnings;
}

}  // namespace mekiki
