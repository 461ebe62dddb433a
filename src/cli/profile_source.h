// From the name of a framework to its profile.
#pragma once

#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "job/profile.h"
#include "search/plan.h"

namespace mekiki {

/// The profile of the job's framework; the usual one where it names none, the generic one where it names a framework
/// that nobody described. Which those are stands in data/profiles/usual.json. Errors: invalid_input for bad data.
Result<Profile> profile_of(const Context& context, const Job& job);

/// The job's framework alone, several that it joins by commas, or all that the rules plan with where it names none.
/// Errors as profile_of.
Result<std::vector<Profile>> profiles_of(const Context& context, const Job& job, const PlanRules& rules);

}  // namespace mekiki
