// StepProgram: one training step of one job on one layout, the single description that memory and time read.
// A step is, per pipeline stage and phase, a timeline of segments; equal layers are counted, not copied.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "layout/layout.h"
#include "program/op.h"
#include "program/segment.h"

namespace mekiki {

enum class PhaseKind : std::uint8_t { load, first_step, later_micro_batches, optimizer, evaluation, save, resume };
inline constexpr std::size_t kPhases = 7;

template <>
struct EnumNames<PhaseKind> {
  static constexpr std::array<std::string_view, kPhases> value = {
      "load", "first_step", "later_micro_batches", "optimizer", "evaluation", "save", "resume"};
};

/// Where something lives: on the device, in pinned host memory, or on the NVMe of the node.
enum class MemoryPlace : std::uint8_t { device, host, nvme };

constexpr MemoryPlace place_of(OffloadTarget target) {
  return target == OffloadTarget::nvme ? MemoryPlace::nvme : MemoryPlace::host;
}

/// What lives through whole phases on every rank of a stage: weights, states, gradient buffers, communication buffers.
struct Resident {
  Name name;
  Category category = Category::weights;
  Bytes bytes;
  std::uint8_t phases = 0;  // bit i: present in PhaseKind i
  MemoryPlace place = MemoryPlace::device;
};

constexpr std::uint8_t phase_bit(PhaseKind phase) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(phase));
}

/// `repeat` equal segments one after the other.
struct SegmentRun {
  std::int32_t segment = 0;
  double repeat = 1;
};

/// A sequence of runs that itself repeats: the forward passes of all micro-batches in flight, say.
struct TimelinePart {
  std::int32_t first_run = 0, run_count = 0;
  double repeat = 1;
};

struct Timeline {
  std::int32_t first_part = 0, part_count = 0;
};

/// What a stage holds besides layers.
struct StageRole {
  std::int64_t stage = 0;
  bool has_embedding = false;
  bool has_head = false;
};

struct StageProgram {
  StageRole role;
  std::int32_t first_resident = 0, resident_count = 0;
  std::array<Timeline, kPhases> phases{};  // empty timeline: only residents
  double micro_batches_in_flight = 1;
  /// Weights that this rank of the stage trains and stores, for the optimizer and checkpoints (elements).
  double trained_elements = 0;
  double stored_elements = 0;
  /// Runs of one micro-batch, forward then backward, for the time reader.
  Timeline forward, backward;
  std::int32_t optimizer_segment = -1;
};

/// Ranks of a group and how far apart neighbours sit (ranks are numbered tensor first, then context, data, pipeline).
struct GroupShape {
  std::int64_t ranks = 1;
  std::int64_t stride = 1;
};

struct StepProgram {
  ParallelLayout layout;
  std::int64_t micro_batches = 1;  // per step and pipeline
  std::int64_t tokens_per_micro_batch = 0;
  double tokens_per_step = 0;  // over all ranks
  std::array<GroupShape, kRankGroups> groups{};
  std::vector<StepOp> ops;
  std::vector<Tensor> tensors;
  std::vector<Segment> segments;
  std::vector<SegmentRun> runs;
  std::vector<TimelinePart> parts;
  std::vector<Resident> residents;
  std::vector<StageProgram> stages;  // distinct roles only: first, one middle, last
  Bytes pipeline_message;            // activations handed to the next stage, per micro-batch
  /// Where the first segments live if other programs share them (units.h), which must outlive this one; null: here.
  const StepProgram* units = nullptr;

  std::span<const StepOp> ops_of(const Segment& s) const {
    return std::span(s.of_units ? units->ops : ops)
        .subspan(static_cast<std::size_t>(s.first_op), static_cast<std::size_t>(s.op_count));
  }
  std::span<const Tensor> tensors_of(const Segment& s) const {
    return std::span(s.of_units ? units->tensors : tensors)
        .subspan(static_cast<std::size_t>(s.first_tensor), static_cast<std::size_t>(s.tensor_count));
  }
  std::span<const TimelinePart> parts_of(const Timeline& t) const {
    return std::span(parts).subspan(static_cast<std::size_t>(t.first_part), static_cast<std::size_t>(t.part_count));
  }
  std::span<const SegmentRun> runs_of(const TimelinePart& p) const {
    return std::span(runs).subspan(static_cast<std::size_t>(p.first_run), static_cast<std::size_t>(p.run_count));
  }
  std::span<const Resident> residents_of(const StageProgram& s) const {
    return std::span(residents).subspan(static_cast<std::size_t>(s.first_resident),
                                        static_cast<std::size_t>(s.resident_count));
  }
};

}  // namespace mekiki
