// Engines: the frameworks that can run a job, each with the job as it would run it.
#pragma once

#include <vector>

#include "base/result.h"
#include "search/explore.h"
#include "search/plan.h"

namespace mekiki {

struct Engines {
  std::vector<Engine> able;
  std::vector<ExcludedFramework> excluded;
};

/// One per profile of the request, in its order. Errors: the first framework's error where none is able.
Result<Engines> engines_of(const PlanRequest& request);

/// What the job leaves open to the search, and the batch. Errors: invalid_input, subject "global_batch_size", where the
/// job names none and no rule speaks of its method.
struct OpenChoices {
  SearchSpace space;
  PlanDefaults defaults;
};
Result<OpenChoices> open_choices(const PlanRequest& request, const ResolvedJob& job, double model_weights);

/// A request with its frameworks and its open choices, those of the first framework. Errors: those of engines_of and
/// open_choices.
struct OpenedRequest {
  Engines engines;
  OpenChoices choices;
  double model_weights = 0;
};
Result<OpenedRequest> opened(const PlanRequest& request);

}  // namespace mekiki
