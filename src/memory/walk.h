// Walk: the live bytes of one phase of one stage over time, and the highest of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory/footprint.h"
#include "memory/report.h"
#include "program/step_program.h"

namespace mekiki {

/// Highest state seen so far, with what stood where.
struct Peak {
  CategoryBytes categories{};
  Bytes total;
  PeakMoment moment;
};

struct Pools {
  Bytes compute, communication;
};

/// Walks one phase of one stage. Repeated runs are linear in their count, so their peak is in the first or the last
/// repetition.
class Walk {
 public:
  Walk(const StepProgram& program, const std::vector<Footprint>& footprints)
      : program_(program), footprints_(footprints) {}

  void phase(const StageProgram& stage, PhaseKind kind) {
    moment_ = {.phase = kind, .stage = stage.role.stage};
    now_ = {};
    for (const Resident& resident : program_.residents_of(stage)) {
      if (resident.place == MemoryPlace::device && (resident.phases & phase_bit(kind))) {
        now_[static_cast<std::size_t>(resident.category)] += resident.bytes;
      }
    }
    pools_now_ = {};
    consider(now_, {}, {.phase = kind, .stage = stage.role.stage});
    for (const TimelinePart& part : program_.parts_of(stage.phases[static_cast<std::size_t>(kind)])) {
      whole_part(part);
    }
  }

  const Peak& peak() const { return peak_; }
  const Pools& pools() const { return pools_peak_; }

 private:
  void whole_part(const TimelinePart& part) {
    const CategoryBytes start = now_;
    const Pools pools_start = pools_now_;
    runs(part);
    if (part.repeat > 1) {
      // Start of the last repetition: the first one's change, repeat - 1 times.
      for (std::size_t c = 0; c < kCategories; ++c) {
        now_[c] = start[c] + (part.repeat - 1.0) * (now_[c] - start[c]);
      }
      pools_now_.compute = pools_start.compute + (part.repeat - 1.0) * (pools_now_.compute - pools_start.compute);
      pools_now_.communication =
          pools_start.communication + (part.repeat - 1.0) * (pools_now_.communication - pools_start.communication);
      runs(part);
    }
  }

  void runs(const TimelinePart& part) {
    for (const SegmentRun& run : program_.runs_of(part)) {
      const Footprint& f = footprints_[static_cast<std::size_t>(run.segment)];
      visit(run.segment, f);
      advance(f, run.repeat - 1.0);
      if (run.repeat > 1) {
        visit(run.segment, f);
      }
      advance(f, 1.0);
    }
  }

  void visit(std::int32_t id, const Footprint& f) {
    const Segment& segment = program_.segments[static_cast<std::size_t>(id)];
    pools_peak_.compute = std::max(pools_peak_.compute, pools_now_.compute + f.compute_pool_peak);
    pools_peak_.communication =
        std::max(pools_peak_.communication, pools_now_.communication + f.communication_pool_peak);
    if (!(total(now_) + f.peak_total > peak_.total)) {
      return;
    }
    PeakMoment moment = moment_;
    moment.segment = segment.kind;
    moment.layer_kind = segment.layer_kind;
    const auto ops = program_.ops_of(segment);
    if (!ops.empty()) {
      moment.op = ops[static_cast<std::size_t>(f.peak_op)].name;
      moment.pass = ops[static_cast<std::size_t>(f.peak_op)].pass;
    }
    consider(now_, f.at_peak, moment);
  }

  void advance(const Footprint& f, double times) {
    for (std::size_t c = 0; c < kCategories; ++c) {
      now_[c] += times * f.net[c];
    }
    pools_now_.compute += times * f.compute_pool_net;
    pools_now_.communication += times * f.communication_pool_net;
  }

  void consider(const CategoryBytes& base, const CategoryBytes& rise, const PeakMoment& moment) {
    CategoryBytes sum{};
    for (std::size_t c = 0; c < kCategories; ++c) {
      sum[c] = base[c] + rise[c];
    }
    const Bytes height = total(sum);
    if (height > peak_.total) {
      peak_ = {sum, height, moment};
    }
  }

  const StepProgram& program_;
  const std::vector<Footprint>& footprints_;
  CategoryBytes now_{};
  Pools pools_now_{}, pools_peak_{};
  PeakMoment moment_;
  Peak peak_;
};

}  // namespace mekiki
