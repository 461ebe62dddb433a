// The terms of memory: categories, the three numbers, the verdict.
#pragma once

#include "explain/explanation.h"

namespace mekiki {

/// One of the terms up to oom_probability. `live` is live_at_peak() of the report's peak.
Explanation explain_memory(const Subject& subject, const LiveSet& live, Term term);

}  // namespace mekiki
