#include "validate/outcome.h"

#include <algorithm>
#include <utility>

namespace mekiki {
namespace {

constexpr double kPercent = 100.0;

struct Compared {
  RateFigure figure;
  double measured;
};

std::optional<Compared> compared_figure(const MeasuredThroughputRow& row) {
  const std::pair<RateFigure, const std::optional<double>&> figures[] = {
      {RateFigure::tokens_per_s_per_gpu, row.tokens_per_s_per_gpu},
      {RateFigure::tokens_per_s_total, row.tokens_per_s_total},
      {RateFigure::step_time_s, row.step_time_s},
      {RateFigure::tflops_per_gpu, row.tflops_per_gpu}};
  for (const auto& [figure, value] : figures) {
    if (value && *value > 0) {
      return Compared{figure, *value};
    }
  }
  return std::nullopt;
}

template <class Prediction, class Known>
Result<Prediction> prediction_of(const Result<Known>& known, const RowContext& context) {
  if (!known) {
    return fail(known.error());
  }
  return predict(*known, context);
}

/// Figures of one step that lasts so long.
double figure_at(const ThroughputPrediction& prediction,
                 Seconds step_time,
                 RateFigure figure,
                 FlopsConvention convention) {
  const TimeReport& report = prediction.report;
  const double slower = step_time / report.step_time.mid;
  const double per_gpu = report.tokens_per_s_per_gpu.base() / slower;
  switch (figure) {
    case RateFigure::tokens_per_s_per_gpu:
      return per_gpu;
    case RateFigure::tokens_per_s_total:
      return report.tokens_per_s.base() / slower;
    case RateFigure::step_time_s:
      return step_time / kSecond;
    case RateFigure::tflops_per_gpu:
      return TokensPerSecond{per_gpu} *
             (flops_per_token_in(convention, *prediction.arch, prediction.method, prediction.sequence_length) /
              kToken) /
             kTflopPerSecond;
  }
  return per_gpu;
}

double as_rate(RateFigure figure, double value) {
  return figure == RateFigure::step_time_s ? 1.0 / value : value;
}

std::optional<RealOutcome> real_outcome(const MemoryOutcome& outcome) {
  switch (outcome.metric) {
    case MemoryMetric::fits:
      return RealOutcome::fits;
    case MemoryMetric::oom:
      return RealOutcome::oom;
    case MemoryMetric::peak_allocated:
    case MemoryMetric::peak_reserved:
    case MemoryMetric::nvidia_smi:
      return outcome.measured_gib ? std::optional(RealOutcome::ran) : std::nullopt;
    case MemoryMetric::unstated:
    case MemoryMetric::verdict:
      break;
  }
  return std::nullopt;
}

bool asks_number(MemoryMetric metric) {
  return metric == MemoryMetric::peak_allocated || metric == MemoryMetric::peak_reserved ||
         metric == MemoryMetric::nvidia_smi;
}

template <class Outcome>
std::optional<double> error_of(const Outcome& outcome) {
  const std::vector<ScoredRow> rows = scored(std::span(&outcome, 1));
  if (rows.empty() || !rows.front().predicted) {
    return std::nullopt;
  }
  return kPercent * (*rows.front().predicted / rows.front().measured - 1.0);
}

}  // namespace

std::vector<MemoryOutcome> predict_rows(std::span<const MemoryRow> rows, const RowContext& context) {
  std::vector<MemoryOutcome> outcomes;
  outcomes.reserve(rows.size());
  for (const MemoryRow& row : rows) {
    MemoryOutcome outcome{.label = row.label, .prediction = prediction_of<MemoryPrediction>(row.known, context)};
    if (row.measured) {
      outcome.metric = row.measured->metric;
      if (asks_number(outcome.metric) && row.measured->value_gib.value_or(0) > 0) {
        outcome.measured_gib = row.measured->value_gib;
      }
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

std::vector<ThroughputOutcome> predict_rows(std::span<const ThroughputRow> rows, const RowContext& context) {
  std::vector<ThroughputOutcome> outcomes;
  outcomes.reserve(rows.size());
  for (const ThroughputRow& row : rows) {
    ThroughputOutcome outcome{.label = row.label,
                              .prediction = prediction_of<ThroughputPrediction>(row.known, context)};
    if (row.measured) {
      outcome.convention = convention_of(context.aliases, row.measured->flops_convention);
      if (const auto compared = compared_figure(*row.measured)) {
        outcome.compared = compared->figure;
        outcome.measured = compared->measured;
      }
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

const Estimate<Bytes>& estimate_for(const MemoryPrediction& prediction, MemoryMetric metric) {
  switch (metric) {
    case MemoryMetric::peak_allocated:
      return prediction.report.allocated;
    case MemoryMetric::peak_reserved:
      return prediction.report.reserved;
    default:
      return prediction.report.device;
  }
}

double figure_of(const ThroughputPrediction& prediction, RateFigure figure, FlopsConvention convention) {
  return figure_at(prediction, prediction.report.step_time.mid, figure, convention);
}

FigureBand band_of(const ThroughputPrediction& prediction, RateFigure figure, FlopsConvention convention) {
  const double fast = figure_at(prediction, prediction.report.step_time.low, figure, convention);
  const double slow = figure_at(prediction, prediction.report.step_time.high, figure, convention);
  return {std::min(fast, slow), std::max(fast, slow)};
}

std::vector<ScoredRow> scored(std::span<const MemoryOutcome> outcomes) {
  std::vector<ScoredRow> rows;
  for (const MemoryOutcome& outcome : outcomes) {
    if (!outcome.measured_gib) {
      continue;
    }
    ScoredRow row{.label = outcome.label, .measured = *outcome.measured_gib};
    if (outcome.prediction) {
      const Estimate<Bytes>& estimate = estimate_for(*outcome.prediction, outcome.metric);
      row.predicted = estimate.mid / kGiB;
      row.low = estimate.low / kGiB;
      row.high = estimate.high / kGiB;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ScoredRow> scored(std::span<const ThroughputOutcome> outcomes) {
  std::vector<ScoredRow> rows;
  for (const ThroughputOutcome& outcome : outcomes) {
    if (!outcome.compared) {
      continue;
    }
    const RateFigure figure = *outcome.compared;
    ScoredRow row{.label = outcome.label, .measured = as_rate(figure, *outcome.measured)};
    if (outcome.prediction) {
      const FigureBand band = band_of(*outcome.prediction, figure, outcome.convention);
      row.predicted = as_rate(figure, figure_of(*outcome.prediction, figure, outcome.convention));
      row.low = std::min(as_rate(figure, band.low), as_rate(figure, band.high));
      row.high = std::max(as_rate(figure, band.low), as_rate(figure, band.high));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<double> signed_error_pct(const MemoryOutcome& outcome) {
  return error_of(outcome);
}

std::optional<double> signed_error_pct(const ThroughputOutcome& outcome) {
  return error_of(outcome);
}

std::array<VerdictCounts, EnumNames<RealOutcome>::value.size()> verdicts(std::span<const MemoryOutcome> outcomes) {
  std::array<VerdictCounts, EnumNames<RealOutcome>::value.size()> counts{};
  for (const MemoryOutcome& outcome : outcomes) {
    const std::optional<RealOutcome> real = real_outcome(outcome);
    if (!real) {
      continue;
    }
    VerdictCounts& count = counts[static_cast<std::size_t>(*real)];
    if (outcome.prediction && outcome.prediction->verdict) {
      ++count.by_verdict[static_cast<std::size_t>(*outcome.prediction->verdict)];
    } else {
      ++count.unanswered;
    }
  }
  return counts;
}

}  // namespace mekiki
