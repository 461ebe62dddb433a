// How a price is written, the same in every report.
#pragma once

#include <string>

#include "cost/price.h"
#include "report/json_parts.h"

namespace mekiki {

/// "$12.50" or "12.50 EUR"; "-" where the source gives none.
std::string price_per_hour(const Price& price);

/// The figure per GPU without its currency.
std::string price_per_gpu_hour(const Price& price);

/// Every field of the price as JSON; unknown ones are null with a reason.
Json price_fields(const Price& price);

}  // namespace mekiki
