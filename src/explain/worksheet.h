// Worksheet: the terms of an answer as rows of a spreadsheet, in which an edited input recomputes the totals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "explain/explanation.h"

namespace mekiki {

/// What a person must know before editing a row.
enum class SheetNote : std::uint8_t {
  none,
  at_the_peak,  // the moment of the peak does not move with edits
  replayed,     // worked out by a replay: a value that does not follow edits
  fixed_size,   // no closed formula in batch and length
  from_tables   // seconds from measured tables: they do not follow edited shapes
};
template <>
struct EnumNames<SheetNote> {
  static constexpr std::array<std::string_view, 5> value = {
      "none", "at_the_peak", "replayed", "fixed_size", "from_tables"};
};

/// A spreadsheet formula, "=C7*D7/E3"; cells are named as in the written sheet.
struct CellFormula {
  std::string text;
};
using Cell = std::variant<std::monostate, double, std::string, CellFormula>;

struct SheetRow {
  std::string section, term;
  Cell count, coefficient, value;  // value of an item: count x coefficient x what its formula names
  Unit unit = Unit::none;
  std::optional<double> predicted;  // the value as the program has it
  bool editable = false;
  std::optional<Input> origin;  // of an input
  SheetNote note = SheetNote::none;
};

/// Columns of the sheet; row 1 is the header. The last two are made from origin and note.
enum class SheetColumn : std::uint8_t {
  section,
  term,
  count,
  coefficient,
  value,
  unit,
  predicted,
  editable,
  source,
  note
};
template <>
struct EnumNames<SheetColumn> {
  static constexpr std::array<std::string_view, 10> value = {
      "section", "term", "count", "coefficient", "value", "unit", "predicted", "editable", "source", "note"};
};

/// Rows from the second line of the sheet on. Inputs come first; then memory, category by category, and the three
/// numbers; then time, cause by cause, and the rates. Errors: those of subject_of.
Result<std::vector<SheetRow>> worksheet(const FitRequest& request, const FitReport& report, const KeyPlaces& places);

}  // namespace mekiki
