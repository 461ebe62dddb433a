// A row of measured memory as a prediction: from what is known before the run, and nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "memory/report.h"
#include "validate/row_context.h"
#include "validate/row_job.h"
#include "validate/rows.h"

namespace mekiki {

struct MemoryPrediction {
  MemoryReport report;
  std::optional<Verdict> verdict;  // unset where no capacity is known
  std::optional<Bytes> capacity;
  std::string profile;
  std::vector<std::string> assumed;
};

/// What the row means. A blank recompute, attention or loss is the framework's default; a blank length, micro-batch or
/// layout is filled and noted as assumed. Errors name the column: a text that is not understood or not modelled, an
/// unknown model, a sharded run without a GPU count, axes that contradict the GPUs.
Result<RowJob> job_of(const KnownMemoryRow& row, const RowContext& context);

/// Errors: those of job_of, and of the planner for what it cannot lower.
Result<MemoryPrediction> predict(const KnownMemoryRow& row, const RowContext& context);

}  // namespace mekiki
