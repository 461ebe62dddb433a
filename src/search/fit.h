// fit(): one job on one layout, both readers, the verdict, and the ways out. What `mekiki fit` prints and what every
// plan is made of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hardware/kernel_rates.h"
#include "job/defaults.h"
#include "job/job.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "memory/memory.h"
#include "memory/quick_rule.h"
#include "model/arch.h"
#include "time/report.h"

namespace mekiki {

/// The GPU and its surroundings; unset where the user named none.
struct FitTarget {
  const Gpu* gpu = nullptr;
  std::optional<GpuRates> rates;  // unset: no step time
  ClusterView cluster;
  Bytes held_by_others;  // memory that other processes hold
};

struct FitRequest {
  const Arch* arch = nullptr;
  Job job;
  const Profile* profile = nullptr;
  std::int64_t gpus = 1;
  std::optional<ParallelLayout> layout;  // unset: the profile's usual data parallelism
  FitTarget target;
};

/// A change that saves memory, with what it costs; `change` names job or layout keys ("activation_recompute=full").
struct WayOut {
  std::string change;
  Verdict verdict = Verdict::does_not_fit;
  Estimate<Bytes> device;
  std::optional<Estimate<Seconds>> step_time;
  std::optional<Seconds> communication;  // of the step, waited for
};

struct LargestThatFits {
  std::int64_t micro_batch_size = 0;  // 0: not even one fits
  std::int64_t sequence_length = 0;   // at the job's micro-batch; 0: not even the shortest tried (256)
};

struct FitReport {
  ResolvedJob job;
  ParallelLayout layout;
  bool layout_assumed = false;
  MemoryReport memory;
  std::optional<TimeReport> time;
  std::optional<Bytes> capacity;
  std::optional<Verdict> verdict;  // unset without a GPU
  std::optional<double> oom_probability;
  std::optional<LargestThatFits> largest;
  std::vector<WayOut> ways_out;  // cheapest in step time first
};

/// Errors: those of with_defaults, prepare_model, check_layout and lower.
Result<FitReport> fit(const FitRequest& request);

/// The layout that a framework takes when the user says nothing: all GPUs data parallel, sharded where that is its
/// habit.
ParallelLayout usual_layout(const Profile& profile, std::int64_t gpus);

}  // namespace mekiki
