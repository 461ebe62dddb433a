// memory(): the reader of a StepProgram that answers "does it fit".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "job/defaults.h"
#include "job/profile.h"
#include "memory/report.h"
#include "program/step_program.h"

namespace mekiki {

/// Walks every phase of every distinct stage and takes the worst.
///
/// allocated: highest sum of residents and live tensors over time. reserved: what the caching allocator holds after the
/// requests of two steps (replay.h), never less than allocated. device: reserved + context + communicators.
/// Not modelled: cuBLAS workspaces (8 to 32 MiB per handle), loading peaks, garbage-collection delays, lengths that
/// vary within a run, expert imbalance. Tested: memory_test.cpp against a naive simulation that expands every layer and
/// op.
MemoryReport memory(const StepProgram& program, const ResolvedJob& job, const Profile& profile, InputQuality quality);

/// Whether the requests of the run find room: where they do not at first, the allocator gives back free segments, which
/// does not help against blocks that are cut up.
bool holds_within(const StepProgram& program,
                  const ResolvedJob& job,
                  const Profile& profile,
                  const MemoryReport& report,
                  Bytes capacity);

/// memory() as a device of this capacity shows it: where the run holds, reserved and device memory end at the capacity.
MemoryReport memory_on(
    const StepProgram& program, const ResolvedJob& job, const Profile& profile, InputQuality quality, Bytes capacity);

/// The allocated and device peaks alone (mid), without moments and categories: what the search asks. `reserved` is a
/// closed form (AllocatorRule::closed_form_factor), within a bound of the replay that memory_test.cpp states.
struct PeakBytes {
  Bytes allocated, reserved, device;

  Bytes device_on(Bytes capacity) const { return mekiki::device_on(allocated + (device - reserved), device, capacity); }
};
PeakBytes memory_peak(const StepProgram& program, const Profile& profile);

/// How gradients are treated in a phase.
GradientMode gradient_mode(const StepProgram& program, PhaseKind phase);

/// How gradients are treated where memory_peak looks.
GradientMode peak_gradient_mode(const StepProgram& program);

/// Of all segments of `program`, in order.
std::vector<Footprint> footprints_of(const StepProgram& program, GradientMode mode);

/// The same peak, with the footprints of the program's shared units (program/units.h) in that mode known.
PeakBytes memory_peak(const StepProgram& program, const Profile& profile, std::span<const Footprint> known);

/// Communicators that the layout opens (one per axis above 1, one more for pipeline exchange).
std::int64_t communicators(const ParallelLayout& layout);

}  // namespace mekiki
