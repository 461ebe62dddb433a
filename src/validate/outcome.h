// Rows with their predictions beside what was measured: the values that reports and scores are made of.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "validate/flops_convention.h"
#include "validate/memory_row.h"
#include "validate/score.h"
#include "validate/throughput_row.h"

namespace mekiki {

struct MemoryOutcome {
  RowLabel label;
  MemoryMetric metric = MemoryMetric::unstated;
  std::optional<double> measured_gib;
  Result<MemoryPrediction> prediction;
};

/// Which published figure a rate is compared with; the first that a row has, in this order.
enum class RateFigure : std::uint8_t { tokens_per_s_per_gpu, tokens_per_s_total, step_time_s, tflops_per_gpu };
template <>
struct EnumNames<RateFigure> {
  static constexpr std::array<std::string_view, 4> value = {
      "tokens_per_s_per_gpu", "tokens_per_s_total", "step_time_s", "tflops_per_gpu"};
};

struct ThroughputOutcome {
  RowLabel label;
  std::optional<RateFigure> compared;
  std::optional<double> measured;  // in the unit of `compared`
  FlopsConvention convention = FlopsConvention::matmul_causal;
  Result<ThroughputPrediction> prediction;
};

std::vector<MemoryOutcome> predict_rows(std::span<const MemoryRow> rows, const RowContext& context);
std::vector<ThroughputOutcome> predict_rows(std::span<const ThroughputRow> rows, const RowContext& context);

/// The estimate that a metric asks for; the device's where it asks for a verdict or nothing.
const Estimate<Bytes>& estimate_for(const MemoryPrediction& prediction, MemoryMetric metric);

/// Predicted figures of a throughput row, mid values and the band of a figure.
double figure_of(const ThroughputPrediction& prediction, RateFigure figure, FlopsConvention convention);
struct FigureBand {
  double low = 0, high = 0;
};
FigureBand band_of(const ThroughputPrediction& prediction, RateFigure figure, FlopsConvention convention);

/// Rows with a measured number, for the score. A step time scores as the rate that it stands for.
std::vector<ScoredRow> scored(std::span<const MemoryOutcome> outcomes);
std::vector<ScoredRow> scored(std::span<const ThroughputOutcome> outcomes);

/// predicted / measured - 1 of the rate, in percent; unset without both.
std::optional<double> signed_error_pct(const MemoryOutcome& outcome);
std::optional<double> signed_error_pct(const ThroughputOutcome& outcome);

/// Verdicts by what really happened: rows that state `fits`, rows that ran out of memory, and rows that ran and gave a
/// number.
enum class RealOutcome : std::uint8_t { fits, oom, ran };
template <>
struct EnumNames<RealOutcome> {
  static constexpr std::array<std::string_view, 3> value = {"fits", "oom", "ran"};
};
struct VerdictCounts {
  std::array<std::int64_t, EnumNames<Verdict>::value.size()> by_verdict{};
  std::int64_t unanswered = 0;  // refused, or no capacity known
};
std::array<VerdictCounts, EnumNames<RealOutcome>::value.size()> verdicts(std::span<const MemoryOutcome> outcomes);

}  // namespace mekiki
