#include "catalog/object_reader.h"

#include <algorithm>
#include <cmath>

#include "base/did_you_mean.h"
#include "base/json.h"

namespace mekiki {

ObjectReader::ObjectReader(const nlohmann::json& value, std::string subject)
    : value_(&value), subject_(std::move(subject)) {
  if (!value.is_object()) {
    error_ = Error{ErrorCode::invalid_input, subject_, "an object is expected here", "write { ... }"};
  }
}

const nlohmann::json* ObjectReader::find(std::string_view key) {
  known_.push_back(key);
  if (!value_->is_object()) {
    return nullptr;
  }
  const auto found = value_->find(key);
  return found == value_->end() ? nullptr : &*found;
}

void ObjectReader::fail_at(std::string_view key, std::string message, std::string hint) {
  if (!error_) {
    error_ = Error{ErrorCode::invalid_input, json_path(subject_, key), std::move(message), std::move(hint)};
  }
}

void ObjectReader::number(std::string_view key, double& member, double low, double high) {
  const nlohmann::json* found = find(key);
  if (found == nullptr) {
    return;
  }
  const double value = found->is_number() ? found->get<double>() : std::nan("");
  if (!(value >= low && value <= high)) {
    fail_at(key, "a number from " + std::to_string(low) + " to " + std::to_string(high) + " is expected");
    return;
  }
  member = value;
}

void ObjectReader::integer(std::string_view key, std::int64_t& member, std::int64_t low, std::int64_t high) {
  const nlohmann::json* found = find(key);
  if (found == nullptr) {
    return;
  }
  if (!found->is_number_integer() || found->get<std::int64_t>() < low || found->get<std::int64_t>() > high) {
    fail_at(key, "a whole number from " + std::to_string(low) + " to " + std::to_string(high) + " is expected");
    return;
  }
  member = found->get<std::int64_t>();
}

void ObjectReader::boolean(std::string_view key, bool& member) {
  const nlohmann::json* found = find(key);
  if (found == nullptr) {
    return;
  }
  if (!found->is_boolean()) {
    fail_at(key, "true or false is expected");
    return;
  }
  member = found->get<bool>();
}

void ObjectReader::text(std::string_view key, std::string& member) {
  const nlohmann::json* found = find(key);
  if (found == nullptr) {
    return;
  }
  if (!found->is_string()) {
    fail_at(key, "a text is expected");
    return;
  }
  member = found->get<std::string>();
}

std::optional<ObjectReader> ObjectReader::object(std::string_view key) {
  const nlohmann::json* found = find(key);
  if (found == nullptr) {
    return std::nullopt;
  }
  return ObjectReader(*found, json_path(subject_, key));
}

void ObjectReader::adopt(const ObjectReader& nested) {
  ObjectReader copy = nested;
  const Status status = copy.finish();
  if (!status && !error_) {
    error_ = status.error();
  }
}

void ObjectReader::wrong_choice(std::string_view key, std::span<const std::string_view> known) {
  std::string list;
  for (const std::string_view word : known) {
    list += (list.empty() ? "" : ", ") + std::string(word);
  }
  fail_at(key, "none of the known words", "known: " + list);
}

Status ObjectReader::finish() {
  if (!error_ && value_->is_object()) {
    for (const auto& [key, ignored] : value_->items()) {
      if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
        fail_at(key, "unknown key", did_you_mean(key, known_));
        break;
      }
    }
  }
  if (error_) {
    return fail(*error_);
  }
  return {};
}

}  // namespace mekiki
