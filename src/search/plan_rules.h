// Reads the assumptions of a plan from data/rules/.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/plan.h"

namespace mekiki {

/// Text of a data document by its path; unset where there is none.
using RuleDocuments = std::function<std::optional<std::string_view>(std::string_view path)>;

/// Errors: not_found for a document that is missing, invalid_input for one that cannot be read.
Result<PlanRules> read_plan_rules(const RuleDocuments& documents);

/// Frameworks that a plan considers where the user names none, in the order of data/rules/engines.csv.
std::vector<std::string> planned_frameworks(const PlanRules& rules);

}  // namespace mekiki
