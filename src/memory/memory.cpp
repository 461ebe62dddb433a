#include "memory/memory.h"

#include <algorithm>
#include <utility>

#include "memory/replay.h"
#include "memory/walk.h"

namespace mekiki {
namespace {

Bytes statics(const StepProgram& program, const StageProgram& stage) {
  Bytes sum;
  for (const Resident& resident : program.residents_of(stage)) {
    if (resident.place == MemoryPlace::device && (resident.phases & phase_bit(PhaseKind::later_micro_batches))) {
      sum += resident.bytes;
    }
  }
  return sum;
}

Bytes host_bytes(const StepProgram& program, const StageProgram& stage) {
  Bytes sum;
  for (const Resident& resident : program.residents_of(stage)) {
    sum += resident.place == MemoryPlace::host ? resident.bytes : Bytes{};
  }
  return sum;
}

/// Live bytes with streams that share no blocks: each pool rises on its own.
Bytes pooled(Bytes allocated, Bytes static_bytes, const Pools& pools, bool stream_pools) {
  return stream_pools ? std::max(allocated, static_bytes + pools.compute + pools.communication) : allocated;
}

constexpr PhaseKind kEveryPhase[] = {PhaseKind::load,
                                     PhaseKind::first_step,
                                     PhaseKind::later_micro_batches,
                                     PhaseKind::optimizer,
                                     PhaseKind::evaluation,
                                     PhaseKind::save,
                                     PhaseKind::resume};

struct Footprints {
  std::vector<Footprint> stay, accumulate;
};

/// Of all segments, the first of which may be known.
std::vector<Footprint> completed(const StepProgram& program, GradientMode mode, std::span<const Footprint> known) {
  std::vector<Footprint> footprints;
  footprints.reserve(program.segments.size());
  footprints.assign(known.begin(), known.end());
  for (std::size_t i = known.size(); i < program.segments.size(); ++i) {
    footprints.push_back(footprint(program, program.segments[i], mode));
  }
  return footprints;
}

Footprints all_footprints(const StepProgram& program) {
  Footprints f{.stay = completed(program, GradientMode::stay, {})};
  if (program.micro_batches > 1) {
    f.accumulate = completed(program, GradientMode::accumulate, {});
  }
  return f;
}

Bytes device_overhead(const StepProgram& program, const DeviceOverheads& rule) {
  const std::int64_t open = communicators(program.layout);
  Bytes sum = rule.context;
  if (open > 0) {
    sum += rule.first_communicator + static_cast<double>(open - 1) * rule.further_communicator;
  }
  return sum;
}

}  // namespace

GradientMode gradient_mode(const StepProgram& program, PhaseKind phase) {
  return phase == PhaseKind::later_micro_batches && program.micro_batches > 1 ? GradientMode::accumulate
                                                                              : GradientMode::stay;
}

std::int64_t communicators(const ParallelLayout& l) {
  std::int64_t open = 0;
  for (const std::int64_t axis :
       {l.dp_replicate, l.dp_shard, l.tensor_parallel, l.context_parallel, l.expert_parallel}) {
    open += axis > 1 ? 1 : 0;
  }
  return open + (l.pipeline_parallel > 1 ? 2 : 0);
}

namespace {

/// All phases of one stage, and what the allocator makes of them.
struct WalkedStage {
  StageMemory memory;
  Peak worst;
  std::array<Bytes, kPhases> phase_peaks{};
};

WalkedStage walk_stage(const StepProgram& program, const StageProgram& stage, const Footprints& footprints) {
  WalkedStage walked{.memory = {.stage = stage.role.stage}};
  for (const PhaseKind phase : kEveryPhase) {
    const bool accumulates = gradient_mode(program, phase) == GradientMode::accumulate;
    Walk walk(program, accumulates ? footprints.accumulate : footprints.stay);
    walk.phase(stage, phase);
    walked.phase_peaks[static_cast<std::size_t>(phase)] = walk.peak().total;
    if (walk.peak().total > walked.worst.total) {
      walked.worst = walk.peak();
      walked.memory.worst_phase = phase;
    }
  }
  walked.memory.allocated = walked.worst.total;
  return walked;
}

Bytes reserved_by(const StepProgram& program,
                  const StageProgram& stage,
                  const ResolvedJob& job,
                  const Profile& profile,
                  Bytes allocated) {
  if (!profile.memory.allocator.caching) {
    return allocated;
  }
  return std::max(allocated, replay(program, stage, job, profile, std::nullopt).reserved);
}

}  // namespace

MemoryReport memory(const StepProgram& program, const ResolvedJob& job, const Profile& profile, InputQuality quality) {
  const Footprints footprints = all_footprints(program);
  MemoryReport report;
  Bytes allocated, reserved;
  for (const StageProgram& stage : program.stages) {
    WalkedStage walked = walk_stage(program, stage, footprints);
    walked.memory.reserved = reserved_by(program, stage, job, profile, walked.memory.allocated);
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      report.phase_peaks[phase] = std::max(report.phase_peaks[phase], walked.phase_peaks[phase]);
    }
    if (walked.memory.reserved > reserved) {
      allocated = walked.memory.allocated;
      reserved = walked.memory.reserved;
      report.categories = walked.worst.categories;
      report.peak = walked.worst.moment;
    }
    report.host = std::max(report.host, host_bytes(program, stage));
    report.stages.push_back(walked.memory);
  }
  report.band = band_kind(profile, job.method, quality);
  const Band band = profile.memory.bands[report.band];
  report.context = device_overhead(program, profile.memory.device);
  report.allocator = reserved - allocated;
  report.allocated = with_band(allocated, band, Basis::fitted);
  report.reserved = with_band(reserved, band, Basis::fitted);
  report.device = with_band(reserved + report.context, band, Basis::fitted);
  report.needed = with_band(allocated + report.context, band, Basis::fitted);
  return report;
}

bool holds_within(const StepProgram& program,
                  const ResolvedJob& job,
                  const Profile& profile,
                  const MemoryReport& report,
                  Bytes capacity) {
  if (report.device.mid <= capacity) {
    return true;
  }
  if (report.needed.mid > capacity || !profile.memory.allocator.caching) {
    return false;
  }
  const Bytes room = capacity - report.context;
  return std::none_of(program.stages.begin(), program.stages.end(), [&](const StageProgram& stage) {
    return replay(program, stage, job, profile, room).out_of_memory;
  });
}

MemoryReport memory_on(
    const StepProgram& program, const ResolvedJob& job, const Profile& profile, InputQuality quality, Bytes capacity) {
  MemoryReport report = memory(program, job, profile, quality);
  return holds_within(program, job, profile, report, capacity) ? on_device(std::move(report), capacity) : report;
}

/// The first step holds what a later one holds but for states; evaluation, save, load and resume hold less than a
/// micro-batch. Tested: "TheSearchSeesTheSamePeak".
constexpr PhaseKind kBindingPhases[] = {PhaseKind::later_micro_batches, PhaseKind::optimizer};

GradientMode peak_gradient_mode(const StepProgram& program) {
  return gradient_mode(program, PhaseKind::later_micro_batches);
}

std::vector<Footprint> footprints_of(const StepProgram& program, GradientMode mode) {
  return completed(program, mode, {});
}

PeakBytes memory_peak(const StepProgram& program, const Profile& profile) {
  return memory_peak(program, profile, std::span<const Footprint>{});
}

PeakBytes memory_peak(const StepProgram& program, const Profile& profile, std::span<const Footprint> known) {
  const std::vector<Footprint> footprints = completed(program, peak_gradient_mode(program), known);
  const MemoryProfile& rules = profile.memory;
  PeakBytes result;
  for (const StageProgram& stage : program.stages) {
    Bytes allocated;
    Pools pools;
    for (const PhaseKind phase : kBindingPhases) {
      Walk walk(program, footprints);
      walk.phase(stage, phase);
      allocated = std::max(allocated, walk.peak().total);
      pools.compute = std::max(pools.compute, walk.pools().compute);
      pools.communication = std::max(pools.communication, walk.pools().communication);
    }
    const Bytes live = pooled(allocated, statics(program, stage), pools, rules.sharding.stream_pools);
    const Bytes reserved = rules.allocator.closed_form_factor * live;
    if (reserved > result.reserved) {
      result.allocated = allocated;
      result.reserved = reserved;
    }
  }
  result.device = result.reserved + device_overhead(program, rules.device);
  return result;
}

}  // namespace mekiki
