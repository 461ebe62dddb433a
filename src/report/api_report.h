// What the same tokens cost through an API, by price alone.
#pragma once

#include <string>

#include "cost/api_price.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

/// A few sentences; empty where no price is known.
std::string api_text(const ApiEstimate& estimate, const Voice& say);

/// `api_estimate {tokens, quality, tuned, read, written, break_even_read_tokens}`; each of the three {low, high,
/// currency, rows, cheapest, dearest} or null with its reason.
void add_api_estimate(Json& json, const ApiEstimate& estimate, const Voice& say);

}  // namespace mekiki
