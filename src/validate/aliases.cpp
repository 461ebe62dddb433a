#include "validate/aliases.h"


#include "base/csv.h"
#include "base/letter_case.h"

namespace mekiki {
namespace {

bool matches(const AliasRule& rule, std::string_view lowered) {
  switch (rule.match) {
    case AliasMatch::is:
      return lowered == rule.text;
    case AliasMatch::begins:
      return lowered.starts_with(rule.text);
    case AliasMatch::has:
      return lowered.find(rule.text) != std::string_view::npos;
    case AliasMatch::any:
      return true;
  }
  return false;
}

bool condition_holds(const AliasRule& rule, const ColumnText& other_columns) {
  if (rule.when_column.empty()) {
    return true;
  }
  const std::string_view text = other_columns(rule.when_column);
  return rule.when_text == "*" ? !text.empty() : lower_case(text).starts_with(rule.when_text);
}

}  // namespace

Result<AliasRules> parse_alias_rules(std::string_view csv_text, std::string_view subject) {
  const Result<CsvTable> table = parse_csv(csv_text, subject);
  if (!table) {
    return fail(table.error());
  }
  constexpr std::array<std::string_view, 6> kColumns = {"column", "match", "text", "when_column", "when_text", "word"};
  std::array<std::size_t, kColumns.size()> at{};
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const std::optional<std::size_t> found = column_of(*table, kColumns[i]);
    if (!found) {
      return fail({ErrorCode::invalid_input,
                   std::string(subject) + ":1",
                   "there is no column '" + std::string(kColumns[i]) + "'",
                   ""});
    }
    at[i] = *found;
  }
  AliasRules rules;
  for (const CsvRow& row : table->rows) {
    const std::optional<AliasMatch> match = enum_from_name<AliasMatch>(row.fields[at[1]]);
    if (!match || row.fields[at[0]].empty()) {
      return fail({ErrorCode::invalid_input,
                   std::string(subject) + ":" + std::to_string(row.line) + ":match",
                   "'" + row.fields[at[1]] + "' is no way to match, or the column is not named",
                   "is, begins, has or any"});
    }
    rules.push_back({row.fields[at[0]],
                     *match,
                     lower_case(row.fields[at[2]]),
                     row.fields[at[3]],
                     lower_case(row.fields[at[4]]),
                     row.fields[at[5]]});
  }
  return rules;
}

Result<std::string_view> word_for(const AliasRules& rules,
                                  std::string_view column,
                                  std::string_view text,
                                  const ColumnText& other_columns) {
  const std::string lowered = lower_case(text);
  for (const AliasRule& rule : rules) {
    if (rule.column != column || !matches(rule, lowered) || !condition_holds(rule, other_columns)) {
      continue;
    }
    if (rule.word == kRefusedWord) {
      return fail({ErrorCode::unsupported, std::string(column), "'" + std::string(text) + "' is not modelled", ""});
    }
    return std::string_view(rule.word);
  }
  return fail({ErrorCode::invalid_input, std::string(column), "'" + std::string(text) + "' is not understood", ""});
}

}  // namespace mekiki
