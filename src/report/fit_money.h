// What a step costs in GPU hours, beside the time of it.
#pragma once

#include <optional>
#include <string>

#include "report/fit_report.h"

namespace mekiki {

/// A billion tokens on the answer's number of this GPU, a step taking so long. Unset without a step time of the asked
/// job (its tokens per step), or where nobody is known to rent the GPU on demand.
std::optional<Usd> cost_per_billion(const FitAnswer& answer,
                                    const Gpu& gpu,
                                    std::optional<Estimate<Seconds>> step_time);

/// What the asked job costs, at whose price and of which day; empty where that is unknown.
std::string money_text(const FitAnswer& answer, const Voice& say);

/// Adds `gpu_hours`: the price and the cost per billion tokens; null with a reason where it is unknown.
void add_money(Json& json, const FitAnswer& answer, const Voice& say);

}  // namespace mekiki
