// Scores as tables of numbers for a terminal; headings are the keys of the JSON answer.
#pragma once

#include <array>
#include <string>

#include "validate/outcome.h"
#include "validate/score.h"

namespace mekiki {

std::string score_text(const Score& score);
std::string verdicts_text(const std::array<VerdictCounts, EnumNames<RealOutcome>::value.size()>& counts);

}  // namespace mekiki
