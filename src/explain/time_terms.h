// The terms of time: causes and rates.
#pragma once

#include "explain/explanation.h"

namespace mekiki {

/// One of the terms from gemm on. `parts` are step_parts() of the same job; empty where no step time is known.
Explanation explain_time(const Subject& subject, const std::vector<StepPart>& parts, Term term);

}  // namespace mekiki
