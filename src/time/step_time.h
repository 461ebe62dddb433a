// step_time(): the reader of a StepProgram that answers "how long".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "hardware/kernel_rates.h"
#include "job/defaults.h"
#include "job/profile.h"
#include "program/step_program.h"
#include "time/kernel_time.h"
#include "time/report.h"

namespace mekiki {

/// Per layer and pass: the larger of device time (with exposed tensor traffic) and host launches; gathers and
/// reductions of sharded weights hide behind it up to a slowdown. Pipeline: every pass of every stage is walked in the
/// order of the schedule (time/pipeline_walk.h). Once-per-step reductions hide behind one micro-batch. MFU and HFU
/// count causal attention. Not modelled: checkpoint stalls, stragglers beyond a share per doubling of nodes, power
/// capping; data loading and uneven experts only as far as the job says them. Source of the composition:
/// docs/formulas.md "step_time".
TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const GpuRates& rates,
                     const ClusterView& cluster,
                     InputQuality inputs);

/// How long a pipeline's stages take together: walked pass by pass, or a closed form that the walk never beats
/// (time/pipeline_walk.h).
enum class PipelineTiming : std::uint8_t { walk, floor };

/// One run of a segment: what the device does, what travels, and FLOPs.
struct SegmentTime {
  std::array<Seconds, kTimeCauses> device{};  // gemm, attention, memory_bound; tensor_communication as far as exposed
  double extra_kernels = 0;
  Seconds weight_gradients;  // of device: nothing else in a backward waits for them
  Seconds data_traffic;      // gathers and reductions that may hide behind the device
  Flops forward_and_backward, recompute;
  bool recomputes = false;  // launches its forward once more
};

/// What earlier questions about the same GPU left behind.
struct KnownTimes {
  KernelClock* clock = nullptr;             // remembers products
  std::span<const SegmentTime> units = {};  // of the program's shared units (program/units.h), on the same cluster
};

/// The same, with what is known already.
TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const KnownTimes& known,
                     const ClusterView& cluster,
                     InputQuality inputs);

/// The step time with PipelineTiming::floor, which is never above that of step_time() and equal to it without a
/// pipeline: what a search asks first.
TimeReport step_time_floor(const StepProgram& program,
                           const ResolvedJob& job,
                           const Profile& profile,
                           const KnownTimes& known,
                           const ClusterView& cluster);

/// Times of the shared units of `program`, for KnownTimes.
std::vector<SegmentTime> unit_times(const StepProgram& program,
                                    const ResolvedJob& job,
                                    const Profile& profile,
                                    KernelClock& clock,
                                    const ClusterView& cluster);

}  // namespace mekiki
