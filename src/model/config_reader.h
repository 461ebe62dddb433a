// ConfigReader: typed access to the keys of one config.json object, with every refusal at one place.
//
// A family reads its keys one after the other and asks once, at the end, whether all went well: the first problem is
// kept in the ReadLog, later reads return harmless values (the low end of the range, false, nothing) so that code may
// go on computing, and `finish` returns the problem instead of the Arch. The log also remembers which keys were read,
// so that a key nobody knows becomes a warning instead of a silent miscount.
//
// null is the same as absent, but a flag that is null is false. Booleans are no numbers, 4096.0 is no integer, NaN and
// Infinity are null already.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "base/result.h"

namespace mekiki {

enum class ConfigWarningKind : std::uint8_t {
  unread_key,            // value: the text of the value, cut
  class_default,         // a dimension that the config leaves to the class; value: the default taken
  quantized_checkpoint,  // counts are of the unquantised weights; value: the method
  tower_not_described    // a multimodal type without vision_config: its tower is not counted
};

template <>
struct EnumNames<ConfigWarningKind> {
  static constexpr std::array<std::string_view, 4> value = {
      "unread_key", "class_default", "quantized_checkpoint", "tower_not_described"};
};

/// `subject` is a path as in Error: "config.json:/text_config/num_experts".
struct ConfigWarning {
  ConfigWarningKind kind = ConfigWarningKind::unread_key;
  std::string subject;
  std::string value;

  bool operator==(const ConfigWarning&) const = default;
};

/// What reading one config left behind, over all its sections.
struct ReadLog {
  std::optional<Error> first_error;
  std::set<std::string, std::less<>> read;                // full paths
  std::map<std::string, const nlohmann::json*> sections;  // entered objects by path
  std::vector<ConfigWarning> warnings;
};

/// Bounds of an integer key, both included.
struct Range {
  std::int64_t low = 1;
  std::int64_t high = 1'000'000'000;
};

inline constexpr Range kWidth{1, 1'000'000'000};
inline constexpr Range kWidthOrNone{0, 1'000'000'000};
inline constexpr Range kLayers{1, 100'000};
inline constexpr Range kLayersOrNone{0, 100'000};

class ConfigReader {
 public:
  /// `object` and `log` must outlive the reader. `path` is the subject of the object itself ("config.json:").
  ConfigReader(const nlohmann::json& object, std::string path, ReadLog& log);

  /// Whether the key is there and not null. Does not count as reading it.
  bool has(std::string_view key) const;
  /// Whether the key is there, null included: some classes tell null from absent.
  bool present(std::string_view key) const { return object_->contains(key); }

  /// Whether the value is a string, for keys that are a number or a word. Does not count as reading it.
  bool is_text(std::string_view key) const;

  std::int64_t required(std::string_view key, Range range = kWidth);
  /// The first of these keys that is there; the first one names the error.
  std::int64_t any_of(std::initializer_list<std::string_view> keys, Range range = kWidth);
  std::optional<std::int64_t> optional(std::string_view key, Range range = kWidth);
  /// For a key whose absence is usual and means `fallback` by definition.
  std::int64_t or_default(std::string_view key, std::int64_t fallback, Range range = kWidth);
  /// For a dimension whose absence leaves it to the model class: the default taken becomes a warning.
  std::int64_t or_class_default(std::string_view key, std::int64_t fallback, Range range = kWidth);
  bool flag(std::string_view key, bool fallback);
  double rate(std::string_view key, double fallback);  // within 0 .. 1
  std::string_view text(std::string_view key, std::string_view fallback);
  /// Not negative and finite.
  double number(std::string_view key, double fallback);
  std::vector<double> numbers(std::string_view key);
  /// Strings of an array; empty where the key is absent.
  std::vector<std::string_view> texts(std::string_view key);
  std::vector<std::int64_t> integers(std::string_view key, Range range);

  /// An integer, or a list that repeats one; lists of unequal integers are unsupported.
  std::optional<std::int64_t> integer_of_all(std::string_view key, Range range = kWidth);

  /// The objects of an array; empty where the key is absent.
  std::vector<ConfigReader> sections(std::string_view key);
  /// The value itself, for shapes that no function above reads; null where it is absent.
  const nlohmann::json* raw(std::string_view key) { return find(key); }

  /// The object under this key. Where it is absent the reader of an empty object, so that its required keys report.
  ConfigReader section(std::string_view key);

  /// Keys that this family knows and that change nothing it says.
  void ignore(std::initializer_list<std::string_view> keys);
  void ignore_rest();

  void warn(ConfigWarningKind kind, std::string_view key, std::string value);

  /// Records a problem of one key (of the whole object, where the key is empty).
  void refuse(std::string_view key, std::string message, std::string hint = {});
  /// The same, for a config that is right but describes what is not modelled.
  void refuse_unsupported(std::string_view key, std::string message, std::string hint = {});

  bool failed() const { return log_->first_error.has_value(); }

  /// The value, or the first problem.
  template <class T>
  Result<T> finish(T value) const {
    if (failed()) {
      return fail(*log_->first_error);
    }
    return value;
  }

 private:
  const nlohmann::json* find(std::string_view key);
  std::int64_t integer(const nlohmann::json& value, std::string_view key, Range range);
  double any_number(const nlohmann::json& value, std::string_view key);
  std::string subject(std::string_view key) const;
  void record(ErrorCode code, std::string_view key, std::string message, std::string hint);

  const nlohmann::json* object_;
  std::string path_;
  ReadLog* log_;
};

/// Warnings of keys in entered objects that nobody read and that are not known to be harmless, in the order of paths.
std::vector<ConfigWarning> unread_keys(const ReadLog& log);

}  // namespace mekiki
