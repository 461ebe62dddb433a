// step_time(): the reader of a StepProgram that answers "how long".
#pragma once

#include "hardware/kernel_rates.h"
#include "job/defaults.h"
#include "job/profile.h"
#include "program/step_program.h"
#include "time/kernel_time.h"
#include "time/report.h"

namespace mekiki {

enum class TimeInputs : std::uint8_t { stated, assumed };

/// Per layer and pass: the larger of device time (with exposed tensor traffic) and host launches; gathers and
/// reductions of sharded weights hide behind it up to a slowdown. Pipeline: micro-batches x slowest stage + bubble of
/// (stages - 1) / virtual stages. Once-per-step reductions hide behind one micro-batch. MFU and HFU count causal
/// attention. Not modelled: data loading, checkpoint stalls, stragglers beyond a share per doubling of nodes, expert
/// imbalance, power capping. Source of the composition: docs/formulas.md "step_time".
TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const GpuRates& rates,
                     const ClusterView& cluster,
                     TimeInputs inputs);

/// The same with a clock that remembers products between calls.
TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     KernelClock& clock,
                     const ClusterView& cluster,
                     TimeInputs inputs);

}  // namespace mekiki
