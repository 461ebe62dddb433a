#include "explain/explanation.h"
#include "explain/memory_terms.h"
#include "explain/time_terms.h"

namespace mekiki {

Result<std::vector<Explanation>> explain(const FitRequest& request,
                                         const FitReport& report,
                                         const KeyPlaces& places,
                                         const std::vector<Term>& terms) {
  const Result<Subject> subject = subject_of(request, report, places);
  if (!subject) {
    return fail(subject.error());
  }
  const LiveSet live = live_at_peak(*subject, report.memory.peak);
  std::vector<StepPart> parts;
  if (report.time && request.target.rates) {
    parts = step_parts(
        subject->timed_program, subject->timed_job, *request.profile, *request.target.rates, request.target.cluster);
  }
  std::vector<Explanation> explanations;
  explanations.reserve(terms.size());
  for (const Term term : terms) {
    explanations.push_back(term < Term::gemm ? explain_memory(*subject, live, term)
                                             : explain_time(*subject, parts, term));
  }
  return explanations;
}

}  // namespace mekiki
