// Scores and figures as JSON; shared by both kinds of rows.
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "validate/outcome.h"
#include "validate/score.h"

namespace mekiki {

using OrderedJson = nlohmann::ordered_json;

/// Six significant digits: what differs below is no message. null where unset.
OrderedJson number_json(double value);
OrderedJson number_json(const std::optional<double>& value);

/// groups, mean_over_groups, mean_over_groups_of_three, coverage_pct, all_rows.
void add_score(OrderedJson& answer, const Score& score);

OrderedJson figures_json(const Figures& figures);

/// Refusals by the part of the row that they name, most frequent first.
OrderedJson refusals_json(std::span<const Error> refusals);

}  // namespace mekiki
