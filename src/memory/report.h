// MemoryReport: three numbers for the worst rank, where they come from and when they happen.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/estimate.h"
#include "job/bands.h"
#include "memory/footprint.h"
#include "program/step_program.h"

namespace mekiki {

/// The op during which the peak stands.
struct PeakMoment {
  PhaseKind phase = PhaseKind::first_step;
  std::int64_t stage = 0;
  SegmentKind segment = SegmentKind::layer_forward;
  std::int16_t layer_kind = -1;
  Name op;  // empty: residents alone
  Pass pass = Pass::forward;
};

/// One distinct pipeline stage (first, a middle one, last).
struct StageMemory {
  std::int64_t stage = 0;
  Bytes allocated, reserved;
  PhaseKind worst_phase = PhaseKind::first_step;
};

/// Invariants: categories + allocator + context = device; allocated <= reserved <= device; low <= mid <= high.
struct MemoryReport {
  Estimate<Bytes> allocated;   // torch.cuda.max_memory_allocated
  Estimate<Bytes> reserved;    // torch.cuda.max_memory_reserved
  Estimate<Bytes> device;      // nvidia-smi
  Estimate<Bytes> needed;      // allocated + context: without cached blocks that could be given back
  CategoryBytes categories{};  // at the peak moment, mid values; they add up to `allocated`
  Bytes allocator;             // reserved - allocated
  Bytes context;               // device - reserved
  BandKind band = BandKind::assumed;
  PeakMoment peak;
  Bytes host;                                // offloaded to host memory by one rank, of the stage with most
  std::array<Bytes, kPhases> phase_peaks{};  // allocated, worst stage
  std::vector<StageMemory> stages;
};

enum class Verdict : std::uint8_t { fits, tight, does_not_fit };

template <>
struct EnumNames<Verdict> {
  static constexpr std::array<std::string_view, 3> value = {"fits", "tight", "does_not_fit"};
};

template <>
struct EnumNames<Category> {
  static constexpr std::array<std::string_view, kCategories> value = {"weights",
                                                                      "gradients",
                                                                      "optimizer_states",
                                                                      "master_weights",
                                                                      "activations",
                                                                      "logits_and_loss",
                                                                      "temporary",
                                                                      "communication"};
};

/// What the device shows where its capacity binds: before an allocation fails, the caching allocator returns the blocks
/// that it only keeps. Source: pytorch/pytorch c10/cuda/CUDACachingAllocator.cpp (release_cached_blocks and retry).
Bytes device_on(Bytes needed, Bytes device, Bytes capacity);

/// The same of a whole report: reserved and device memory shrink to the capacity where what is needed goes in.
MemoryReport on_device(MemoryReport report, Bytes capacity);

/// fits: device mid x (1 + headroom) <= capacity; tight: mid <= capacity; else does_not_fit.
Verdict verdict_of(const Estimate<Bytes>& device, Bytes capacity, double headroom);

/// Share of the band of what is needed above the capacity, taking the band as the middle 80 % of a log-normal on each
/// side of mid.
double oom_probability(const Estimate<Bytes>& needed, Bytes capacity);

}  // namespace mekiki
