#include "report/formula_table.h"

#include <algorithm>
#include <utility>

#include "base/csv.h"
#include "base/words.h"

namespace mekiki {
namespace {

enum Column : std::size_t { kSection, kId, kWhere, kTerms, kSource, kNotModelled };

Result<FormulaRow> read_row(const CsvRow& line, std::string_view subject) {
  const auto bad = [&](std::string message) {
    return fail({ErrorCode::invalid_input,
                 std::string(subject) + ":" + std::to_string(line.line),
                 std::move(message),
                 "names are those of --explain and of data/messages"});
  };
  FormulaRow row{.section = line.fields[kSection],
                 .id = line.fields[kId],
                 .where = line.fields[kWhere],
                 .source = line.fields[kSource]};
  if (!find_message("formula." + row.id) || !find_message("formula_section." + row.section)) {
    return bad("there is no text for the formula \"" + row.section + " " + row.id + "\"");
  }
  for (const std::string& word : words_of(line.fields[kTerms])) {
    const std::optional<Term> term = enum_from_name<Term>(word);
    if (!term) {
      return bad("\"" + word + "\" is no term");
    }
    row.terms.push_back(*term);
  }
  for (const std::string& word : words_of(line.fields[kNotModelled])) {
    const std::optional<Message> message = find_message("not_modelled." + word);
    if (!message) {
      return bad("there is no text for \"" + word + "\"");
    }
    row.not_modelled.push_back(*message);
  }
  return row;
}

std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string markdown_files(std::string_view where) {
  std::string text(where);
  for (std::size_t at = text.find(", "); at != std::string::npos; at = text.find(", ", at + 4)) {
    text.replace(at, 2, "`, `");
  }
  return "`" + text + "`";
}

}  // namespace

Result<std::vector<FormulaRow>> read_formulas(std::string_view csv, std::string_view subject) {
  constexpr std::string_view kColumns[] = {"section", "id", "where", "terms", "source", "not_modelled"};
  const Result<CsvTable> table = parse_csv_of(kColumns, "formulas", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<FormulaRow> rows;
  for (const CsvRow& line : table->rows) {
    Result<FormulaRow> row = read_row(line, subject);
    if (!row) {
      return fail(row.error());
    }
    if (std::any_of(rows.begin(), rows.end(), [&](const FormulaRow& other) { return other.id == row->id; })) {
      return fail({ErrorCode::invalid_input,
                   std::string(subject) + ":" + std::to_string(line.line),
                   "the formula " + row->id + " stands twice",
                   "keep one of the two rows"});
    }
    rows.push_back(std::move(*row));
  }
  return rows;
}

std::vector<const FormulaRow*> formulas_of(const std::vector<FormulaRow>& rows, Term term) {
  std::vector<const FormulaRow*> chosen;
  for (const FormulaRow& row : rows) {
    if (std::find(row.terms.begin(), row.terms.end(), term) != row.terms.end()) {
      chosen.push_back(&row);
    }
  }
  return chosen;
}

std::string formula_text(const FormulaRow& row, const Voice& say) {
  return std::string(say(message_of("formula." + row.id)));
}

std::string formulas_page(const std::vector<FormulaRow>& rows, const Voice& say) {
  std::string page =
      "# " + std::string(say(Message::formulas_title)) + "\n\n" + std::string(say(Message::formulas_intro)) + "\n";
  std::string section;
  for (const FormulaRow& row : rows) {
    if (row.section != section) {
      section = row.section;
      page += "\n## " + std::string(say(message_of("formula_section." + section))) + "\n\n| " +
              std::string(say(Message::formulas_column_name)) + " | " +
              std::string(say(Message::formulas_column_formula)) + " | " +
              std::string(say(Message::formulas_column_where)) + " | " +
              std::string(say(Message::formulas_column_source)) + " |\n|---|---|---|---|\n";
    }
    page += "| `" + row.id + "` | " + cell(formula_text(row, say)) + " | " + markdown_files(row.where) + " | " +
            cell(row.source) + " |\n";
  }
  return page;
}

}  // namespace mekiki
