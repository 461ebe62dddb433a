// A row of measured speed as a prediction: from what is known before the run, and nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "time/report.h"
#include "validate/row_context.h"
#include "validate/row_job.h"
#include "validate/row_machine.h"
#include "validate/rows.h"

namespace mekiki {

struct ThroughputPrediction {
  TimeReport report;
  const Arch* arch = nullptr;  // owned by the context
  Method method = Method::full;
  std::int64_t sequence_length = 0;
  std::string profile;
  std::vector<std::string> assumed;
};

struct ThroughputRowJob {
  RowJob row;
  RowMachine machine;
};

/// What the row means. Axes, micro-batch and interleaving that it leaves open are those of the best layout that its
/// numbers allow (layout_choice.h), and noted as assumed. Errors name the column: a text that is not understood, an
/// unknown model or GPU, no GPU count, no sequence length, axes that contradict the GPUs.
Result<ThroughputRowJob> job_of(const KnownThroughputRow& row, const RowContext& context);

/// Errors: those of job_of, and of the planner for what it cannot lower.
Result<ThroughputPrediction> predict(const KnownThroughputRow& row, const RowContext& context);

}  // namespace mekiki
