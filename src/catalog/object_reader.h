// ObjectReader: one JSON object read key by key, strictly. Keys that nobody asked for are errors, with the nearest
// known key. Unlike rows of the catalogue, keys may be absent: a profile that extends another states only what differs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

class ObjectReader {
 public:
  /// `value` must be an object and outlive the reader.
  ObjectReader(const nlohmann::json& value, std::string subject);

  void number(std::string_view key, double& member, double low, double high);
  void integer(std::string_view key, std::int64_t& member, std::int64_t low, std::int64_t high);
  void boolean(std::string_view key, bool& member);
  void text(std::string_view key, std::string& member);

  template <Dimension D>
  void quantity(std::string_view key, Quantity<D>& member, double scale, double low, double high) {
    double value = member.base() / scale;
    number(key, value, low, high);
    member = Quantity<D>{value * scale};
  }

  template <class E>
  void choice(std::string_view key, E& member) {
    const nlohmann::json* found = find(key);
    if (found == nullptr) {
      return;
    }
    const auto parsed = found->is_string() ? enum_from_name<E>(found->get_ref<const std::string&>()) : std::nullopt;
    if (!parsed) {
      wrong_choice(key, EnumNames<E>::value);
      return;
    }
    member = *parsed;
  }

  /// The value of a key, noted as known; null where it is absent.
  const nlohmann::json* find(std::string_view key);
  /// A reader of a nested object; nothing where the key is absent. Its errors are this reader's business through
  /// `adopt`.
  std::optional<ObjectReader> object(std::string_view key);
  void adopt(const ObjectReader& nested);
  void fail_at(std::string_view key, std::string message, std::string hint = "");

  const std::string& subject() const { return subject_; }
  /// The first error, unknown keys included.
  Status finish();

 private:
  void wrong_choice(std::string_view key, std::span<const std::string_view> known);

  const nlohmann::json* value_;
  std::string subject_;
  std::vector<std::string_view> known_;
  std::optional<Error> error_;
};

}  // namespace mekiki
