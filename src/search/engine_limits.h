// EngineLimits: on what a framework runs at all, and whether a plan considers it unasked. Data: data/rules/engines.csv.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hardware/gpu.h"
#include "model/arch.h"

namespace mekiki {

struct EngineLimits {
  std::string framework;
  bool planned = false;              // considered where the user names none
  std::vector<std::string> vendors;  // of GPUs; empty: any
  std::optional<std::int64_t> most_nodes;
  std::vector<std::string> families;  // of models; empty: any
  std::string source;
};

/// Errors: invalid_input with the line.
Result<std::vector<EngineLimits>> read_engine_limits(std::string_view csv, std::string_view subject);

/// Null: nothing is said of this framework, so nothing limits it.
const EngineLimits* limits_of_framework(const std::vector<EngineLimits>& limits, std::string_view framework);

bool runs_on(const EngineLimits* limits, const Gpu& gpu, std::int64_t nodes);
bool trains_family(const EngineLimits* limits, std::string_view family);

}  // namespace mekiki
