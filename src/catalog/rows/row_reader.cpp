#include "catalog/rows/row_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/amount.h"
#include "base/did_you_mean.h"
#include "base/json.h"

namespace mekiki {
namespace {

using nlohmann::json;

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// A field of the file. In CSV everything is text; an empty text stands for null.
struct Cell {
  const json* value = nullptr;
  std::optional<std::string_view> text;

  bool is_null() const { return value != nullptr ? value->is_null() : text->empty(); }
};

class JsonSource {
 public:
  JsonSource(const json& object, std::string_view where) : object_(object), where_(where) {}

  std::optional<Cell> find(std::string_view key) const {
    const auto found = object_.find(key);
    return found == object_.end() ? std::nullopt : std::optional<Cell>({&*found, std::nullopt});
  }
  std::string subject(std::string_view key) const { return json_path(where_, key); }
  std::string row_subject() const { return std::string(where_); }
  std::vector<std::string_view> keys() const {
    std::vector<std::string_view> keys;
    for (const auto& [key, value] : object_.items()) {
      keys.push_back(key);
    }
    return keys;
  }

 private:
  const json& object_;
  std::string_view where_;
};

class CsvSource {
 public:
  CsvSource(const CsvTable& table, const CsvRow& line, std::string_view where)
      : table_(table), line_(line), where_(where) {}

  std::optional<Cell> find(std::string_view key) const {
    const auto column = column_of(table_, key);
    return column ? std::optional<Cell>({nullptr, line_.fields[*column]}) : std::nullopt;
  }
  std::string subject(std::string_view key) const { return fmt::format("{}:{}:{}", where_, line_.line, key); }
  std::string row_subject() const { return fmt::format("{}:{}", where_, line_.line); }
  std::vector<std::string_view> keys() const { return {table_.header.begin(), table_.header.end()}; }

 private:
  const CsvTable& table_;
  const CsvRow& line_;
  std::string_view where_;
};

// A visitor of Fields that fills the row. It keeps the first error and does nothing after it.
template <class Input>
class Filler {
 public:
  Filler(const Input& source, RowStorage& storage) : source_(source), storage_(storage) {}

  void text(std::string_view key, Name& member, Presence presence, std::string_view) {
    const std::optional<Cell> cell = take(key);
    if (!cell) {
      return;
    }
    const std::optional<std::string_view> value = text_of(*cell);
    if (!value) {
      return refuse(key, "is not a text");
    }
    if (value->empty() && presence == Presence::required) {
      return refuse(key, "is empty");
    }
    member = storage_.keep(*value);
  }

  template <class T>
  void number(std::string_view key, T& member, const Unit& unit, std::string_view) {
    const std::optional<Cell> cell = take(key);
    if (!cell) {
      return;
    }
    if constexpr (IsOptional<T>::value) {
      if (!cell->is_null()) {
        member.emplace();
        set_number(key, *cell, *member, unit);
      }
    } else {
      set_number(key, *cell, member, unit);
    }
  }

  template <class E>
  void choice(std::string_view key, E& member, std::string_view) {
    const std::optional<Cell> cell = take(key);
    if (!cell) {
      return;
    }
    const std::optional<std::string_view> value = text_of(*cell);
    const std::optional<E> known = value ? enum_from_name<E>(*value) : std::nullopt;
    if (!known) {
      const auto& names = EnumNames<E>::value;
      const std::string near = value ? did_you_mean(*value, names) : std::string{};
      return refuse(key,
                    value ? fmt::format("\"{}\" is not one of {}", *value, fmt::join(names, ", "))
                          : fmt::format("is not one of {}", fmt::join(names, ", ")),
                    near);
    }
    member = *known;
  }

  template <class T>
  void date(std::string_view key, T& member, std::string_view) {
    const std::optional<Cell> cell = take(key);
    if (!cell || (IsOptional<T>::value && cell->is_null())) {
      return;
    }
    const std::optional<std::string_view> value = text_of(*cell);
    const Result<Date> date = parse_date(value.value_or(""));
    if (!date) {
      return refuse(key, date.error().message, date.error().hint);
    }
    member = *date;
  }

  void names(std::string_view key, std::span<const Name>& member, std::string_view) {
    const std::optional<Cell> cell = take(key);
    if (!cell) {
      return;
    }
    if (cell->value == nullptr || !cell->value->is_array()) {
      return refuse(key, "is not a list of texts");
    }
    std::vector<Name> kept;
    for (const json& item : *cell->value) {
      if (!item.is_string()) {
        return refuse(key, "is not a list of texts");
      }
      kept.push_back(storage_.keep(item.get_ref<const std::string&>()));
    }
    member = storage_.keep(std::move(kept));
  }

  template <class Row>
  void list(std::string_view key, std::span<const Row>& member, std::string_view) {
    const std::optional<Cell> cell = take(key);
    if (!cell) {
      return;
    }
    if (cell->value == nullptr || !cell->value->is_array()) {
      return refuse(key, "is not a list");
    }
    std::vector<Row> rows;
    for (std::size_t i = 0; i < cell->value->size(); ++i) {
      Result<Row> row = read_json_row<Row>((*cell->value)[i], json_path(source_.subject(key), i), storage_);
      if (!row) {
        error_ = std::move(row.error());
        return;
      }
      rows.push_back(*row);
    }
    member = storage_.keep(std::move(rows));
  }

  void begin_group() {}
  void end_group() {}

  /// The first error. A key that no field has is told before a missing one: it is the likely slip of the pen.
  Status finish() {
    if (!error_ || missing_) {
      check_unknown_keys();
    }
    if (error_) {
      return fail(std::move(*error_));
    }
    return {};
  }

 private:
  // The field's cell, unless there was an error before; a missing one is an error.
  std::optional<Cell> take(std::string_view key) {
    known_.push_back(key);
    if (error_) {
      return std::nullopt;
    }
    std::optional<Cell> cell = source_.find(key);
    if (!cell) {
      missing_ = true;
      error_ = Error{ErrorCode::invalid_input,
                     source_.row_subject(),
                     fmt::format("the key \"{}\" is missing", key),
                     "write null where the value is unknown (in CSV: leave the field empty)"};
    }
    return cell;
  }

  static std::optional<std::string_view> text_of(const Cell& cell) {
    if (cell.value == nullptr) {
      return cell.text;
    }
    return cell.value->is_string() ? std::optional<std::string_view>(cell.value->get_ref<const std::string&>())
                                   : std::nullopt;
  }

  static std::optional<double> number_of(const Cell& cell) {
    if (cell.value == nullptr) {
      const Result<double> parsed = parse_number(*cell.text);
      return parsed ? std::optional<double>(*parsed) : std::nullopt;
    }
    return cell.value->is_number() ? std::optional<double>(cell.value->template get<double>()) : std::nullopt;
  }

  template <class T>
  void set_number(std::string_view key, const Cell& cell, T& member, const Unit& unit) {
    const std::optional<double> value = number_of(cell);
    if (!value) {
      return refuse(key, cell.is_null() ? "is missing a number" : "is not a number");
    }
    if (!(*value >= unit.low && *value <= unit.high)) {  // NaN fails both
      return refuse(key, fmt::format("{} is outside {} to {}", *value, unit.low, unit.high));
    }
    if constexpr (std::is_integral_v<T>) {
      if (*value != std::floor(*value)) {
        return refuse(key, fmt::format("{} is not a whole number", *value));
      }
      member = static_cast<T>(*value);
    } else {
      member = T{*value * unit.scale};
    }
  }

  void refuse(std::string_view key, std::string message, std::string hint = {}) {
    error_ = Error{ErrorCode::invalid_input, source_.subject(key), std::move(message), std::move(hint)};
  }

  void check_unknown_keys() {
    for (const std::string_view key : source_.keys()) {
      if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
        return refuse(key, "is no key of this kind of row", did_you_mean(key, known_));
      }
    }
  }

  const Input& source_;
  RowStorage& storage_;
  std::vector<std::string_view> known_;
  std::optional<Error> error_;
  bool missing_ = false;
};

template <class Row, class Input>
Result<Row> fill(const Input& source, RowStorage& storage) {
  Row row;
  Filler<Input> filler(source, storage);
  Fields<Row>::visit(filler, row);
  if (const Status status = filler.finish(); !status) {
    return fail(status.error());
  }
  return row;
}

}  // namespace

template <class Row>
Result<Row> read_json_row(const json& object, std::string_view where, RowStorage& storage) {
  if (!object.is_object()) {
    return fail({ErrorCode::invalid_input, std::string(where), "is not an object", {}});
  }
  return fill<Row>(JsonSource(object, where), storage);
}

template <class Row>
Result<Row> read_csv_row(const CsvTable& table, const CsvRow& line, std::string_view where, RowStorage& storage) {
  return fill<Row>(CsvSource(table, line, where), storage);
}

template Result<LinkLevel> read_json_row(const json&, std::string_view, RowStorage&);
template Result<Gpu> read_json_row(const json&, std::string_view, RowStorage&);
template Result<System> read_json_row(const json&, std::string_view, RowStorage&);
template Result<Provider> read_json_row(const json&, std::string_view, RowStorage&);
template Result<Price> read_json_row(const json&, std::string_view, RowStorage&);
template Result<GpuAlias> read_csv_row(const CsvTable&, const CsvRow&, std::string_view, RowStorage&);
template Result<Source> read_csv_row(const CsvTable&, const CsvRow&, std::string_view, RowStorage&);
template Result<Price> read_csv_row(const CsvTable&, const CsvRow&, std::string_view, RowStorage&);
template Result<PriceGpu> read_csv_row(const CsvTable&, const CsvRow&, std::string_view, RowStorage&);

}  // namespace mekiki
