// Layout, memory and step as JSON, the same in every command.
#pragma once

#include <cstdint>
#include <optional>

#include "layout/layout.h"
#include "memory/report.h"
#include "report/json_parts.h"
#include "time/report.h"

namespace mekiki {

/// All axes.
Json layout_json(const ParallelLayout& layout);

/// The three numbers, as estimates in GiB.
Json memory_json(const MemoryReport& memory);

/// Step time and rates as estimates, ratios and causes as mid values; with tokens the time of all of them.
Json step_json(const TimeReport& time, std::int64_t gpus, std::optional<std::int64_t> tokens);

}  // namespace mekiki
