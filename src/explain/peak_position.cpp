#include "explain/peak_position.h"

#include "memory/memory.h"

namespace mekiki {
namespace {

class Walk {
 public:
  Walk(const StepProgram& program, GradientMode mode)
      : program_(program), footprints_(footprints_of(program, mode)), completed_(program.segments.size()) {}

  PeakPosition phase(const StageProgram& stage, PhaseKind kind) {
    for (const Resident& resident : program_.residents_of(stage)) {
      if (resident.place == MemoryPlace::device && (resident.phases & phase_bit(kind))) {
        now_ += resident.bytes;
      }
    }
    peak_ = {.completed = completed_, .height = now_};
    for (const TimelinePart& part : program_.parts_of(stage.phases[static_cast<std::size_t>(kind)])) {
      whole_part(part);
    }
    return peak_;
  }

 private:
  void whole_part(const TimelinePart& part) {
    const Bytes start = now_;
    const std::vector<double> completed = completed_;
    runs(part);
    if (part.repeat > 1) {
      now_ = start + (part.repeat - 1.0) * (now_ - start);
      for (std::size_t i = 0; i < completed.size(); ++i) {
        completed_[i] = completed[i] + (part.repeat - 1.0) * (completed_[i] - completed[i]);
      }
      runs(part);
    }
  }

  void runs(const TimelinePart& part) {
    for (const SegmentRun& run : program_.runs_of(part)) {
      visit(run.segment);
      advance(run.segment, run.repeat - 1.0);
      if (run.repeat > 1) {
        visit(run.segment);
      }
      advance(run.segment, 1.0);
    }
  }

  void visit(std::int32_t id) {
    const Footprint& f = footprints_[static_cast<std::size_t>(id)];
    const Bytes height = now_ + f.peak_total;
    if (height > peak_.height) {
      peak_ = {.completed = completed_, .segment = id, .op = f.peak_op, .height = height};
    }
  }

  void advance(std::int32_t id, double times) {
    now_ += times * footprints_[static_cast<std::size_t>(id)].net_total;
    completed_[static_cast<std::size_t>(id)] += times;
  }

  const StepProgram& program_;
  std::vector<Footprint> footprints_;
  std::vector<double> completed_;
  Bytes now_;
  PeakPosition peak_;
};

}  // namespace

PeakPosition peak_position(const StepProgram& program, const StageProgram& stage, PhaseKind phase) {
  return Walk(program, gradient_mode(program, phase)).phase(stage, phase);
}

}  // namespace mekiki
