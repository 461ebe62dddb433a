#include "base/rule_table.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/amount.h"
#include "base/csv.h"
#include "base/did_you_mean.h"

namespace mekiki {
namespace {

constexpr std::array<std::string_view, 8> kColumns = {"key", "low", "mid", "high", "unit", "basis", "source", "notes"};

Error bad_row(std::string_view subject, std::size_t line, std::string message, std::string hint = "") {
  return {
      ErrorCode::invalid_input, std::string(subject) + ":" + std::to_string(line), std::move(message), std::move(hint)};
}

Result<Rule> read_row(const CsvRow& row, std::string_view subject) {
  const auto& fields = row.fields;
  Rule rule{.key = fields[0], .unit = fields[4], .source = fields[6]};
  std::array<double, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Result<double> value = parse_number(fields[i + 1]);
    if (!value) {
      return fail(bad_row(subject, row.line, value.error().message));
    }
    values[i] = *value;
  }
  const std::optional<Basis> basis = basis_named(fields[5]);
  if (!basis) {
    return fail(bad_row(subject, row.line, fields[5] + " is no basis", "one of assumed, fitted, datasheet, measured"));
  }
  if (!(values[0] >= 0 && values[0] <= values[1] && values[1] <= values[2])) {
    return fail(bad_row(subject, row.line, rule.key + " is not 0 <= low <= mid <= high"));
  }
  rule.value = {values[0], values[1], values[2], *basis};
  return rule;
}

/// Where a rule belongs, if it may stand here.
Result<std::size_t> place_of(const Rule& rule,
                             std::string_view subject,
                             std::size_t line,
                             std::span<const RuleKey> keys) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const RuleKey& key) { return key.key == rule.key; });
  if (found == keys.end()) {
    std::vector<std::string_view> known;
    for (const RuleKey& key : keys) {
      known.push_back(key.key);
    }
    return fail(bad_row(subject, line, "unknown key " + rule.key, did_you_mean(rule.key, known)));
  }
  if (rule.unit != found->unit) {
    return fail(
        bad_row(subject, line, rule.key + " is given in " + rule.unit, "give it in " + std::string(found->unit)));
  }
  return static_cast<std::size_t>(found - keys.begin());
}

}  // namespace

Result<std::vector<Rule>> read_rules(std::string_view csv, std::string_view subject, std::span<const RuleKey> keys) {
  const Result<CsvTable> table = parse_csv_of(kColumns, "a rule table", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<std::optional<Rule>> found(keys.size());
  for (const CsvRow& row : table->rows) {
    Result<Rule> rule = read_row(row, subject);
    if (!rule) {
      return fail(rule.error());
    }
    const Result<std::size_t> place = place_of(*rule, subject, row.line, keys);
    if (!place) {
      return fail(place.error());
    }
    if (found[*place]) {
      return fail(bad_row(subject, row.line, rule->key + " stands here twice"));
    }
    found[*place] = std::move(*rule);
  }
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!found[i]) {
      return fail({ErrorCode::invalid_input, std::string(subject), std::string(keys[i].key) + " is missing", ""});
    }
    rules.push_back(std::move(*found[i]));
  }
  return rules;
}

}  // namespace mekiki
