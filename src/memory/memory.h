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

/// How much of the prediction leans on inputs that the user did not state; widens the band.
enum class InputQuality : std::uint8_t { stated, assumed };

/// Walks every phase of every distinct stage and takes the worst.
///
/// allocated: highest sum of residents and live tensors over time. reserved: residents + compute pool x fragmentation
/// factor + communication pool (profile, by lengths and allocator settings). device: reserved + context +
/// communicators. Not modelled: block rounding and segment splitting of the allocator, cuBLAS workspaces (8 to 32 MiB
/// per handle), loading peaks, garbage-collection delays, expert imbalance. Tested: memory_test.cpp against a naive
/// simulation that expands every layer and op.
MemoryReport memory(const StepProgram& program, const ResolvedJob& job, const Profile& profile, InputQuality quality);

/// The allocated and device peaks alone (mid), without moments and categories: what the search asks.
struct PeakBytes {
  Bytes allocated, reserved, device;

  Bytes device_on(Bytes capacity) const { return mekiki::device_on(allocated + (device - reserved), device, capacity); }
};
PeakBytes memory_peak(const StepProgram& program, const ResolvedJob& job, const Profile& profile);

/// How gradients are treated where memory_peak looks.
GradientMode peak_gradient_mode(const StepProgram& program);

/// Of all segments of `program`, in order.
std::vector<Footprint> footprints_of(const StepProgram& program, GradientMode mode);

/// The same peak, with the footprints of the program's shared units (program/units.h) in that mode known.
PeakBytes memory_peak(const StepProgram& program,
                      const ResolvedJob& job,
                      const Profile& profile,
                      std::span<const Footprint> known);

/// Communicators that the layout opens (one per axis above 1, one more for pipeline exchange).
std::int64_t communicators(const ParallelLayout& layout);

}  // namespace mekiki
