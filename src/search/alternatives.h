// What stands beside one fit: other GPUs for the same job, and what a saving costs that the job cannot do without.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hardware/kernel_rates.h"
#include "search/fit.h"

namespace mekiki {

/// A GPU that could take the place of the asked one.
struct GpuChoice {
  const Gpu* gpu = nullptr;
  std::optional<GpuRates> rates;  // unset: no step time
  ClusterView cluster;
};

struct OtherGpu {
  const Gpu* gpu = nullptr;
  Verdict verdict = Verdict::fits;
  std::optional<Estimate<Seconds>> step_time;
};

/// The smallest GPUs that hold the job with headroom and have more memory than the asked one, at most `limit`, one per
/// architecture and size of memory. Without an asked GPU: the smallest of all that hold it.
std::vector<OtherGpu> gpus_that_hold(const FitRequest& request,
                                     const FitReport& report,
                                     std::span<const GpuChoice> choices,
                                     std::size_t limit);

/// A job that fits only by offload or by sharding its weights, and what that costs.
struct Inefficiency {
  std::string without;             // the change that would undo it, after which it fits no more: "offload=none"
  std::optional<double> slowdown;  // unset: no step time is known
};

/// slowdown of offload: step time over the step time without it; of sharded weights: over the same step without waiting
/// for gathers and reductions, as a GPU that holds the job alone would run it.
/// Unset where the job does not fit, fits without such a saving too, or the saving costs less than 5 % of the time.
std::optional<Inefficiency> inefficiency_of(const FitRequest& request, const FitReport& report);

}  // namespace mekiki
