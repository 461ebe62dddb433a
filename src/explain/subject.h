// Subject: one answered question of fit(), lowered once more so that its terms can be taken apart.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/result.h"
#include "program/prepared_model.h"
#include "program/sharding.h"
#include "program/step_program.h"
#include "search/fit.h"

namespace mekiki {

/// Where the user said a job key: "job.yaml:3:7" or "--tokens"; by key.
using KeyPlaces = std::map<std::string, std::string, std::less<>>;

struct Subject {
  const FitRequest* request = nullptr;
  const FitReport* report = nullptr;
  const KeyPlaces* places = nullptr;
  PreparedModel model;
  StepProgram program;
  /// The same of a usual batch (as_timed); the job of its own stands beside.
  StepProgram timed_program;
  ResolvedJob timed_job;
  Sharding sharding;
  /// The same with twice the micro-batch (and batch), and with twice the length.
  StepProgram twice_micro_batch, twice_sequence;

  const Profile& profile() const { return *request->profile; }
  const ResolvedJob& job() const { return report->job; }
};

/// `request`, `report` (its answer) and `places` must outlive the result. Errors: those of prepare_model and lower.
Result<Subject> subject_of(const FitRequest& request, const FitReport& report, const KeyPlaces& places);

}  // namespace mekiki
