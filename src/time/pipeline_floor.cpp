#include <algorithm>

#include "time/pipeline_walk.h"

namespace mekiki {
namespace {

/// All of a stage's passes of one micro-batch.
struct StageTime {
  ChunkTime all;
  Seconds way_down, way_up;  // what the first chunk adds on the way down, the quickest on the way up
};

StageTime stage_time(const PipelineWork& work, std::int64_t stage) {
  StageTime sum{.way_down = work.time(stage, 0).forward, .way_up = work.time(stage, 0).backward};
  for (std::int64_t chunk = 0; chunk < work.chunks; ++chunk) {
    const ChunkTime& time = work.time(stage, chunk);
    sum.all += time;
    sum.way_up = std::min(sum.way_up, time.backward);
  }
  return sum;
}

/// What a stage itself takes for all micro-batches, between two of its own passes also what its sends block.
Seconds busy(const PipelineWork& work, const StageTime& time, double micro_batches) {
  const double passes = 2.0 * static_cast<double>(work.chunks);
  return micro_batches * (time.all.total() + passes * work.send_blocks);
}

/// Down to the stage, its passes, up from it. Products that wait may come last, after which nothing goes up.
Seconds by_one_stage(const PipelineWork& work) {
  Seconds longest, down, up;
  for (std::int64_t stage = 0; stage < work.stages; ++stage) {
    const StageTime time = stage_time(work, stage);
    const Seconds own = busy(work, time, static_cast<double>(work.micro_batches)) - work.send_blocks;
    const Seconds waits = delays_weight_gradients(work.schedule)
                              ? static_cast<double>(work.micro_batches) * time.all.weight_gradients
                              : Seconds{};
    longest = std::max(longest, down + std::max(own, own - waits + up));
    down += time.way_down + work.send;
    up += time.way_up + work.send;
  }
  return longest;
}

/// 1F1B keeps `stages - stage` micro-batches in flight: the forward pass of that many later waits for the backward pass
/// of the first. The first goes all the way down and back; then the stage runs in its own time; then the last goes from
/// it to the end and back.
Seconds by_two_round_trips(const PipelineWork& work) {
  Seconds all;
  for (std::int64_t stage = 0; stage < work.stages; ++stage) {
    all += work.time(stage, 0).total();
  }
  const auto stages = static_cast<double>(work.stages);
  all += 2.0 * (stages - 1.0) * work.send;
  Seconds longest = all, below;  // of the stages behind this one, with the sends to and from them
  for (std::int64_t stage = work.stages - 1; stage >= 0; --stage) {
    const std::int64_t steady = work.micro_batches - (work.stages - stage);
    if (steady > 0) {
      const Seconds own = busy(work, stage_time(work, stage), static_cast<double>(steady)) - work.send_blocks;
      longest = std::max(longest, all + below + own);
    }
    below += work.time(stage, 0).total() + 2.0 * work.send;
  }
  return longest;
}

/// All forward passes, then all backward ones: each a line of equal jobs through the stages, which the slowest one
/// paces.
Seconds by_two_sweeps(const PipelineWork& work) {
  Seconds all, slowest_forward, slowest_backward;
  for (std::int64_t stage = 0; stage < work.stages; ++stage) {
    const StageTime time = stage_time(work, stage);
    all += time.all.total();
    slowest_forward = std::max(slowest_forward, time.all.forward + work.send_blocks);
    slowest_backward = std::max(slowest_backward, time.all.backward + time.all.weight_gradients + work.send_blocks);
  }
  const auto stages = static_cast<double>(work.stages), more = static_cast<double>(work.micro_batches - 1);
  return all + 2.0 * (stages - 1.0) * work.send + more * (slowest_forward + slowest_backward);
}

/// All but what a zero-bubble schedule fills: of the bubble of 1F1B the V shape leaves T_F + T_B - 2 T_W a stage.
/// Source: arXiv 2405.15362, section 4.
Seconds v_shape(const PipelineWork& work) {
  constexpr double kFilled = 3.0;  // T_F + T_B + T_W less three T_W
  Seconds slowest, all, weight_gradients;
  for (std::int64_t stage = 0; stage < work.stages; ++stage) {
    const StageTime time = stage_time(work, stage);
    slowest = std::max(slowest, busy(work, time, static_cast<double>(work.micro_batches)));
    all += time.all.total();
    weight_gradients = std::max(weight_gradients, time.all.weight_gradients);
  }
  const auto stages = static_cast<double>(work.stages), chunks = static_cast<double>(work.chunks);
  const Seconds mean = all / stages;
  const Seconds left = std::max(Seconds{}, mean - kFilled * weight_gradients);
  return slowest + (stages - 1.0) / chunks * left + 2.0 * (stages - 1.0) * work.send;
}

}  // namespace

Seconds pipeline_floor(const PipelineWork& work) {
  if (work.schedule == PipelineSchedule::zero_bubble_v) {
    return v_shape(work);
  }
  const Seconds any = by_one_stage(work);
  if (work.chunks > 1 || work.schedule == PipelineSchedule::zero_bubble) {
    return any;
  }
  return std::max(any, work.schedule == PipelineSchedule::gpipe ? by_two_sweeps(work) : by_two_round_trips(work));
}

}  // namespace mekiki
