#include "report/worksheet_csv.h"

#include <fmt/format.h>

#include "base/csv.h"
#include "report/explain_parts.h"
#include "report/fit_parts.h"

namespace mekiki {
namespace {

std::string cell_text(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) {
    return fmt::format("{}", *number);
  }
  if (const auto* word = std::get_if<std::string>(&cell)) {
    return *word;
  }
  const auto* formula = std::get_if<CellFormula>(&cell);
  return formula != nullptr ? formula->text : "";
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += (i == 0 ? "" : ",") + csv_field(cells[i]);
  }
  return line + "\n";
}

}  // namespace

std::string worksheet_csv(const std::vector<SheetRow>& rows, const Voice& say) {
  std::string text = line_of({EnumNames<SheetColumn>::value.begin(), EnumNames<SheetColumn>::value.end()});
  for (const SheetRow& row : rows) {
    text += line_of({row.section,
                     row.term,
                     cell_text(row.count),
                     cell_text(row.coefficient),
                     cell_text(row.value),
                     std::string(enum_name(row.unit)),
                     row.predicted ? fmt::format("{}", *row.predicted) : "",
                     row.editable ? "yes" : "no",
                     row.origin ? origin_text(*row.origin, say) : "",
                     row.note == SheetNote::none ? "" : spoken("sheet_note", row.note, say)});
  }
  return text;
}

}  // namespace mekiki
