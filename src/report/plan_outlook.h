// What lies around the cheapest plan, as text and as JSON: its time and cost against tokens, and what moves its cost.
#pragma once

#include <string>

#include "report/plan_report.h"

namespace mekiki {

/// A table of hours and cost (P50 and P90) against tokens; empty where there is no plan.
std::string curve_text(const PlanAnswer& answer, const Voice& say);
Json curve_json(const PlanAnswer& answer);

/// What moves the cost, widest first, and whether it moves the choice; empty where nothing does.
std::string sensitivity_text(const PlanAnswer& answer, const Voice& say);
Json sensitivity_json(const PlanAnswer& answer);

}  // namespace mekiki
