#include "search/plan_rules.h"

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
                               read_into(rules.cost_range, documents, "data/rules/cost.csv", read_cost_rule_range),
                               read_into(rules.search, documents, "data/rules/search.csv", read_search_rules),
                               read_into(rules.batch, documents, "data/rules/batch.csv", read_batch_rules),
                               read_into(rules.engines, documents, "data/rules/engines.csv", read_engine_limits)}) {
    if (!status) {
      return fail(status.error());
    }
  }
  return rules;
}

std::vector<std::string> planned_frameworks(const PlanRules& rules) {
  std::vector<std::string> frameworks;
  for (const EngineLimits& engine : rules.engines) {
    if (engine.planned) {
      frameworks.push_back(engine.framework);
    }
  }
  return frameworks;
}

}  // namespace mekiki
