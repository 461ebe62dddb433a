// MeasuredMfu: what share of the dense peak training runs have reached, by GPU and arithmetic. Data:
// data/reference/measured_mfu.csv, made from the measured rows of data/validation/rows
// (tests/audit/published_runs_test.cpp holds it against them).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/result.h"

namespace mekiki {

/// Of one GPU and format. MFU counts as WorkPerToken::causal does, over the dense peak in that format.
struct MeasuredMfu {
  std::string gpu_id;
  Dtype format = Dtype::bf16;
  std::int64_t runs = 0;
  double low = 0;  // a tenth of the runs reached less
  double median = 0;
  double best = 0;
  std::string best_run;  // id of the row
};

/// Columns gpu_id, format, runs, mfu_low, mfu_median, mfu_best, best_run. Errors: invalid_input with the line where
/// shares are not 0 < low <= median <= best < 1, a format is unknown or a pair stands twice.
Result<std::vector<MeasuredMfu>> read_measured_mfu(std::string_view csv, std::string_view subject);

/// What is known of this GPU and format; where nothing is, the extremes over all other GPUs in this format and the
/// median of the one with most runs, with an empty gpu_id. Unset: no run in this format was measured anywhere.
std::optional<MeasuredMfu> measured_mfu(std::span<const MeasuredMfu> rows, std::string_view gpu_id, Dtype format);

}  // namespace mekiki
