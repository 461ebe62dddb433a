// The table of formulas: data/formulas.csv with the texts of the messages "formula.ID". docs/formulas.md and --explain
// are made from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explain/term.h"
#include "report/voice.h"

namespace mekiki {

struct FormulaRow {
  std::string section;      // id of the message "formula_section.SECTION"
  std::string id;           // of the message "formula.ID"
  std::string where;        // files of this repository
  std::vector<Term> terms;  // that it explains
  std::string source;       // papers, code of others; empty: its own derivation
  std::vector<Message> not_modelled;
};

/// Columns section, id, where, terms, source, not_modelled; terms and not_modelled are names with blanks between.
/// Errors: invalid_input with the line for other columns, an unknown term or message, an id that stands twice.
Result<std::vector<FormulaRow>> read_formulas(std::string_view csv, std::string_view subject);

/// Rows that explain the term, in the order of the table.
std::vector<const FormulaRow*> formulas_of(const std::vector<FormulaRow>& rows, Term term);

/// Text of the formula.
std::string formula_text(const FormulaRow& row, const Voice& say);

/// The Markdown page of all formulas, section by section.
std::string formulas_page(const std::vector<FormulaRow>& rows, const Voice& say);

}  // namespace mekiki
