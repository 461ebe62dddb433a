#include "explain/sheet_builder.h"

namespace mekiki {
namespace {

constexpr std::size_t kFirstRow = 2;  // below the header
constexpr char kValueColumn = 'E';

}  // namespace

std::string SheetBuilder::address(char column, std::size_t index) {
  return std::string(1, column) + std::to_string(index + kFirstRow);
}

std::string SheetBuilder::named(const std::string& key) const {
  return address(kValueColumn, cells_.at(key));
}

double SheetBuilder::number(const std::string& key) const {
  return std::get<double>(rows_[cells_.at(key)].value);
}

void SheetBuilder::add(SheetRow row, const std::string& key) {
  if (!key.empty()) {
    cells_[key] = here();
  }
  rows_.push_back(std::move(row));
}

void SheetBuilder::add_input(const std::string& section, const std::string& key, Input input) {
  SheetRow row{.section = section, .term = input.name, .unit = input.unit, .editable = true};
  if (const auto* number = std::get_if<double>(&input.value)) {
    row.value = *number;
    row.predicted = *number;
  } else {
    row.value = std::get<std::string>(input.value);
  }
  row.origin = std::move(input);
  add(std::move(row), key);
}

void SheetBuilder::total(
    const std::string& section, const std::string& term, std::string formula, double predicted, Unit unit) {
  add({.section = section,
       .term = term,
       .value = CellFormula{"=" + std::move(formula)},
       .unit = unit,
       .predicted = predicted},
      term);
}

std::string SheetBuilder::sum_from(std::size_t first) const {
  return first == here() ? "0" : "SUM(" + address(kValueColumn, first) + ":" + address(kValueColumn, here() - 1) + ")";
}

}  // namespace mekiki
