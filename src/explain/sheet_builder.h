// SheetBuilder: rows of a worksheet with cells that name each other by key.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "explain/inputs.h"
#include "explain/worksheet.h"

namespace mekiki {

class SheetBuilder {
 public:
  explicit SheetBuilder(const Subject& subject) : subject_(subject) {}

  const Subject& subject() const { return subject_; }

  /// Index of the next row.
  std::size_t here() const { return rows_.size(); }

  /// "C7" for a column and the index of a row.
  static std::string address(char column, std::size_t index);

  bool has(const std::string& key) const { return cells_.contains(key); }

  /// Address of the value that was added under `key`, and the number itself.
  std::string named(const std::string& key) const;
  double number(const std::string& key) const;

  /// `key`: how later formulas name its value; empty: they do not.
  void add(SheetRow row, const std::string& key = "");

  /// The one input that `add_to` puts into Inputs, as an editable row.
  template <class Add>
  void input(const std::string& section, const std::string& key, Add add_to) {
    Inputs inputs(subject_);
    add_to(inputs);
    for (Input& one : std::move(inputs).finish()) {
      add_input(section, key, std::move(one));
    }
  }

  /// A row with a formula, under its own name as key.
  void total(const std::string& section, const std::string& term, std::string formula, double predicted, Unit unit);

  /// "SUM(E7:E9)" over the rows from `first` on; "0" where there are none.
  std::string sum_from(std::size_t first) const;

  std::vector<SheetRow> finish() && { return std::move(rows_); }

 private:
  void add_input(const std::string& section, const std::string& key, Input input);

  const Subject& subject_;
  std::vector<SheetRow> rows_;
  std::map<std::string, std::size_t> cells_;  // key to index of a row
};

/// Rows of memory: elements of the units, live tensors by category, the three numbers, the verdict. Needs the inputs of
/// worksheet().
void add_memory_rows(SheetBuilder& sheet);

/// Rows of a step: its parts by cause, the rates. Nothing where no step time is known.
void add_time_rows(SheetBuilder& sheet);

}  // namespace mekiki
