#include "search/plan_rules.h"

#include <algorithm>

#include "base/csv.h"

namespace mekiki {
namespace {

Result<std::string_view> text_of(const RuleDocuments& documents, std::string_view path) {
  const std::optional<std::string_view> text = documents(path);
  if (!text) {
    return fail({ErrorCode::not_found, std::string(path), "the catalogue lacks it", ""});
  }
  return *text;
}

template <class Rules>
Status read_into(Rules& rules,
                 const RuleDocuments& documents,
                 std::string_view path,
                 Result<Rules> (*read)(std::string_view, std::string_view)) {
  const Result<std::string_view> text = text_of(documents, path);
  if (!text) {
    return fail(text.error());
  }
  Result<Rules> value = read(*text, path);
  if (!value) {
    return fail(value.error());
  }
  rules = std::move(*value);
  return {};
}

}  // namespace

Result<PlanRules> read_plan_rules(const RuleDocuments& documents) {
  PlanRules rules;
  for (const Status& status : {read_into(rules.forecast, documents, "data/rules/forecast.csv", read_forecast_rules),
                               read_into(rules.cost, documents, "data/rules/cost.csv", read_cost_rules),
                               read_into(rules.search, documents, "data/rules/search.csv", read_search_rules),
                               read_into(rules.batch, documents, "data/rules/batch.csv", read_batch_rules)}) {
    if (!status) {
      return fail(status.error());
    }
  }
  return rules;
}

Result<std::vector<std::string>> planned_frameworks(const RuleDocuments& documents) {
  constexpr std::string_view kPath = "data/rules/engines.csv";
  const Result<std::string_view> text = text_of(documents, kPath);
  if (!text) {
    return fail(text.error());
  }
  const Result<CsvTable> table = parse_csv(*text, kPath);
  if (!table) {
    return fail(table.error());
  }
  if (table->header != std::vector<std::string>{"framework", "planned", "reason"}) {
    return fail({ErrorCode::invalid_input, std::string(kPath), "the columns are framework, planned, reason", ""});
  }
  std::vector<std::string> frameworks;
  for (const CsvRow& row : table->rows) {
    if (row.fields[1] != "yes" && row.fields[1] != "no") {
      return fail(
          {ErrorCode::invalid_input, std::string(kPath) + ":" + std::to_string(row.line), "planned is yes or no", ""});
    }
    if (row.fields[1] == "yes") {
      frameworks.push_back(row.fields[0]);
    }
  }
  return frameworks;
}

}  // namespace mekiki
