// The global batch that a plan takes where the job names none. Data: data/rules/batch.csv. A batch is a choice about
// learning, not about machines, so all plans of one request share it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/estimate.h"
#include "base/result.h"
#include "job/job.h"

namespace mekiki {

struct BatchRule {
  std::vector<Method> methods;
  std::optional<double> trained_up_to;  // model weights, inclusive; unset: any
  std::int64_t tokens_per_step = 0;
  Basis basis = Basis::assumed;
  std::string source;
};

/// In the order of the file; the first that matches counts. Errors: invalid_input with the line.
Result<std::vector<BatchRule>> read_batch_rules(std::string_view csv, std::string_view subject);

/// Sequences per step: the rule's tokens over the length, rounded down to a power of two, at least 1. Unset: no rule
/// speaks of this method.
std::optional<std::int64_t> usual_global_batch(const std::vector<BatchRule>& rules,
                                               Method method,
                                               double model_weights,
                                               std::int64_t sequence_length);

}  // namespace mekiki
