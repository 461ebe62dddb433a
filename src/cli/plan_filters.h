// What a plan is asked to keep to and to be best at, from words to values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/goal.h"
#include "base/result.h"
#include "cli/commands.h"
#include "job/job_request.h"
#include "search/plan.h"

namespace mekiki {

Result<Objective> objective_of(const SelectionRequest& selection);
Result<std::optional<Goal>> goal_of(const SelectionRequest& selection);

/// Several GPUs are joined by commas. Errors: not_found for names and words that nobody has, with near ones.
Result<PlanFilters> filters_of(const Context& context, const JobRequest& request);

/// Words joined by commas, blanks around them dropped.
std::vector<std::string> names_in(std::string_view text);

}  // namespace mekiki
