#include "explain/subject.h"

#include <utility>

#include "program/lower.h"

namespace mekiki {
namespace {

Result<StepProgram> lowered(const Subject& subject, const ResolvedJob& job) {
  return lower(subject.model, job, subject.report->layout, subject.profile());
}

}  // namespace

Result<Subject> subject_of(const FitRequest& request, const FitReport& report, const KeyPlaces& places) {
  Subject subject{.request = &request, .report = &report, .places = &places};
  Result<PreparedModel> model = prepare_model(*request.arch, report.job);
  if (!model) {
    return fail(model.error());
  }
  subject.model = std::move(*model);
  subject.sharding = sharding_of(report.job, report.layout, *request.profile);
  ResolvedJob twice_micro_batch = report.job, twice_sequence = report.job;
  twice_micro_batch.micro_batch_size *= 2;
  if (twice_micro_batch.global_batch_size) {
    *twice_micro_batch.global_batch_size *= 2;
  }
  twice_sequence.sequence_length *= 2;
  subject.timed_job = as_timed(report.job);
  const std::pair<StepProgram*, const ResolvedJob*> programs[] = {{&subject.program, &report.job},
                                                                  {&subject.timed_program, &subject.timed_job},
                                                                  {&subject.twice_micro_batch, &twice_micro_batch},
                                                                  {&subject.twice_sequence, &twice_sequence}};
  for (const auto& [program, job] : programs) {
    Result<StepProgram> result = lowered(subject, *job);
    if (!result) {
      return fail(result.error());
    }
    *program = std::move(*result);
  }
  return subject;
}

}  // namespace mekiki
