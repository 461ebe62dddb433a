#include "search/evaluator.h"

#include <utility>

#include "program/lower.h"

namespace mekiki {

LayoutEvaluator::LayoutEvaluator(const PreparedModel& model, const ResolvedJob& job, const Profile& profile)
    : model_(model), job_(job), profile_(profile) {}

const ResolvedJob& LayoutEvaluator::job_of(const Candidate& candidate) {
  job_.micro_batch_size = candidate.micro_batch_size;
  job_.activation_recompute = candidate.recompute;
  job_.global_batch_size = candidate.global_batch_size;
  return job_;
}

Status LayoutEvaluator::choose(const Candidate& candidate) {
  Result<StepProgram> program = lower(model_, job_of(candidate), candidate.layout, profile_);
  if (!program) {
    return fail(program.error());
  }
  program_ = std::move(*program);
  return {};
}

PeakBytes LayoutEvaluator::peak() const {
  return memory_peak(program_, job_, profile_);
}

CandidateTime LayoutEvaluator::time(const GpuRates& rates, const ClusterView& cluster) const {
  const TimeReport report = step_time(program_, job_, profile_, rates, cluster, TimeInputs::stated);
  return {report.step_time.mid, report.tokens_per_step};
}

}  // namespace mekiki
