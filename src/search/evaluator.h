// LayoutEvaluator: memory and time of one candidate after the other, for one job on one framework and one kind of GPU.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "hardware/machine.h"
#include "job/defaults.h"
#include "job/profile.h"
#include "memory/memory.h"
#include "program/lower.h"
#include "program/prepared_model.h"
#include "program/sharding.h"
#include "program/units.h"
#include "search/candidate.h"
#include "time/step_time.h"

namespace mekiki {

/// What the search compares.
struct CandidateTime {
  Seconds step_time;  // mid
  double tokens_per_step = 0;

  Seconds per_token() const { return step_time / tokens_per_step; }
};

/// Layers, embedding and head are lowered once for all candidates that agree in what they depend on (UnitKey), and so
/// are their footprints and times. Not for several threads at once. The arguments of the constructor must outlive it.
class LayoutEvaluator {
 public:
  LayoutEvaluator(const PreparedModel& model, const ResolvedJob& job, const Profile& profile, const GpuRates& rates);

  /// Lowers the candidate; the other questions are about it. Errors: those of lower.
  Status choose(const Candidate& candidate, Detail detail = Detail::search);

  /// The job with the candidate's choices in it.
  const ResolvedJob& job() const { return job_; }
  const StepProgram& program() const { return program_; }
  PeakBytes peak();
  CandidateTime time(const ClusterView& cluster);

  /// In closed form: never above time(), and equal to it without a pipeline.
  CandidateTime time_floor(const ClusterView& cluster);

  /// A time per token that the candidate cannot beat on any cluster: products, attention and memory-bound work of one
  /// micro-batch over all stages, shared out evenly, and the pipeline's bubble; no traffic, no launches, no optimizer.
  /// Depends on few parts of the candidate and is remembered by them. Unset: it cannot be lowered.
  std::optional<Seconds> floor_per_token(const Candidate& candidate);

 private:
  /// Units that candidates share, with what both readers said of them.
  struct SharedUnits {
    Units units;
    std::array<std::vector<Footprint>, 2> footprints;  // by GradientMode; empty: not asked yet
    std::vector<SegmentTime> times;                    // empty: not asked yet
    ClusterView times_on;                              // the cluster of `times`
  };

  KnownTimes known_times(const ClusterView& cluster);
  std::optional<Seconds> micro_batch_work(const Candidate& candidate);
  SharedUnits& units_of(const ParallelLayout& layout);

  const PreparedModel& model_;
  ResolvedJob job_;
  const Profile& profile_;
  KernelClock clock_;
  StepProgram program_;
  SharedUnits* shared_ = nullptr;  // of `program_`; null: it has its own
  std::unordered_map<UnitKey, SharedUnits, UnitKeyHash> units_;
  std::map<std::array<std::int64_t, 9>, std::optional<Seconds>> work_;
};

}  // namespace mekiki
