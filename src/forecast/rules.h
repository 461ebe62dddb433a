// ForecastRules: how often runs are interrupted and how long they take to come back. Data: data/rules/forecast.csv, a
// source or the word "assumed" per row.
#pragma once

#include <string_view>

#include "base/estimate.h"
#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

using PerSecond = Quantity<Dimension{.second = -1}>;

struct ForecastRules {
  Estimate<PerSecond> node_failures;  // of eight GPUs and their host
  Estimate<PerSecond> job_failures;   // of the job, whatever its size: software, libraries, users
  Estimate<PerSecond> spot_losses;    // of one interruptible instance
  Estimate<Seconds> restart;          // until the program runs again; reading the checkpoint comes on top
  Estimate<BytesPerSecond> checkpoint_write_per_node;
  Estimate<BytesPerSecond> checkpoint_read_per_node;
};

/// Errors: invalid_input with the line, for an unknown, missing or repeated key, another unit than the key's own, or
/// values that are not 0 < low <= mid <= high.
Result<ForecastRules> read_forecast_rules(std::string_view csv, std::string_view subject);

}  // namespace mekiki
