#include "search/batch_rule.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/amount.h"
#include "base/csv.h"
#include "base/words.h"

namespace mekiki {
namespace {

constexpr std::string_view kColumns[] = {"methods", "trained_up_to", "tokens_per_step", "basis", "source", "notes"};

Error bad(std::string_view subject, std::size_t line, std::string message) {
  return {ErrorCode::invalid_input, std::string(subject) + ":" + std::to_string(line), std::move(message), ""};
}

Result<BatchRule> read_row(const CsvRow& row, std::string_view subject) {
  BatchRule rule{.source = row.fields[4]};
  for (const std::string& word : words_of(row.fields[0])) {
    const std::optional<Method> method = enum_from_name<Method>(word);
    if (!method) {
      return fail(bad(subject, row.line, word + " is no method"));
    }
    rule.methods.push_back(*method);
  }
  if (!row.fields[1].empty()) {
    const Result<double> most = parse_number(row.fields[1]);
    if (!most || !(*most > 0)) {
      return fail(bad(subject, row.line, row.fields[1] + " is no number of weights"));
    }
    rule.trained_up_to = *most;
  }
  const Result<std::int64_t> tokens = parse_count(row.fields[2]);
  if (!tokens || *tokens < 1) {
    return fail(bad(subject, row.line, row.fields[2] + " is no number of tokens"));
  }
  rule.tokens_per_step = *tokens;
  if (row.fields[3] != "assumed" && row.fields[3] != "measured") {
    return fail(bad(subject, row.line, row.fields[3] + " is neither assumed nor measured"));
  }
  rule.basis = row.fields[3] == "measured" ? Basis::measured : Basis::assumed;
  return rule;
}

}  // namespace

Result<std::vector<BatchRule>> read_batch_rules(std::string_view csv, std::string_view subject) {
  const Result<CsvTable> table = parse_csv(csv, subject);
  if (!table) {
    return fail(table.error());
  }
  if (!std::equal(table->header.begin(), table->header.end(), std::begin(kColumns), std::end(kColumns))) {
    return fail(bad(subject, 1, "the columns are not those of a table of batches"));
  }
  std::vector<BatchRule> rules;
  for (const CsvRow& row : table->rows) {
    Result<BatchRule> rule = read_row(row, subject);
    if (!rule) {
      return fail(rule.error());
    }
    rules.push_back(std::move(*rule));
  }
  return rules;
}

std::optional<std::int64_t> usual_global_batch(const std::vector<BatchRule>& rules,
                                               Method method,
                                               double model_weights,
                                               std::int64_t sequence_length) {
  for (const BatchRule& rule : rules) {
    const bool speaks = std::find(rule.methods.begin(), rule.methods.end(), method) != rule.methods.end();
    if (speaks && (!rule.trained_up_to || model_weights <= *rule.trained_up_to)) {
      const std::int64_t sequences = std::max<std::int64_t>(rule.tokens_per_step / sequence_length, 1);
      return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(sequences)));
    }
  }
  return std::nullopt;
}

}  // namespace mekiki
