// The decision matrix of a plan, and what the provider's kind means for a buyer, as text and as JSON.
#pragma once

#include <string>

#include "report/plan_report.h"

namespace mekiki {

/// One item per cell: the need with the usual advice, the verdict, the reason.
std::string matrix_text(const PlanAnswer& answer, const Voice& say);

/// `decision_matrix [{need, usual, gpus, provider_kinds, verdict, reason, text, rank, values}]`.
Json matrix_json(const PlanAnswer& answer, const Voice& say);

/// What the kind of the cheapest plan's provider is for, and what to ask it; empty without one.
std::string provider_kind_text(const PlanAnswer& answer, const Voice& say);

}  // namespace mekiki
