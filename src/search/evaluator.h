// LayoutEvaluator: memory and time of one candidate after the other for one job on one framework.
#pragma once

#include "base/result.h"
#include "hardware/machine.h"
#include "job/defaults.h"
#include "job/profile.h"
#include "memory/memory.h"
#include "program/prepared_model.h"
#include "search/candidate.h"
#include "time/step_time.h"

namespace mekiki {

/// What the search compares.
struct CandidateTime {
  Seconds step_time;  // mid
  double tokens_per_step = 0;

  Seconds per_token() const { return step_time / tokens_per_step; }
};

/// Not for several threads at once. The arguments of the constructor must outlive it.
class LayoutEvaluator {
 public:
  LayoutEvaluator(const PreparedModel& model, const ResolvedJob& job, const Profile& profile);

  /// The job with the candidate's choices in it.
  const ResolvedJob& job_of(const Candidate& candidate);

  /// Lowers the candidate; the other questions are about it. Errors: those of lower.
  Status choose(const Candidate& candidate);
  PeakBytes peak() const;
  CandidateTime time(const GpuRates& rates, const ClusterView& cluster) const;

  const StepProgram& program() const { return program_; }

 private:
  const PreparedModel& model_;
  ResolvedJob job_;
  const Profile& profile_;
  StepProgram program_;
};

}  // namespace mekiki
