// The order of passes over the stages of a pipeline, walked pass by pass: when does the last one end?
#pragma once

#include <cstdint>
#include <span>

#include "base/quantity.h"
#include "job/job.h"

namespace mekiki {

/// One micro-batch in one chunk of a stage: its forward pass, its backward pass, and of the backward those products for
/// weight gradients that may wait (0 where the schedule runs them with the rest).
struct ChunkTime {
  Seconds forward, backward, weight_gradients;

  Seconds total() const { return forward + backward + weight_gradients; }
  ChunkTime& operator+=(const ChunkTime& other) {
    forward += other.forward;
    backward += other.backward;
    weight_gradients += other.weight_gradients;
    return *this;
  }
};

struct PipelineWork {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::int64_t stages = 1;
  std::int64_t chunks = 1;  // of a stage; above 1: interleaved
  std::int64_t micro_batches = 1;
  Seconds send;                      // from the end of a pass to its neighbour's having the tensor
  Seconds send_blocks;               // of that, how long the sender starts nothing else; at most `send`
  std::span<const ChunkTime> times;  // stage by stage, chunk by chunk

  const ChunkTime& time(std::int64_t stage, std::int64_t chunk) const {
    return times[static_cast<std::size_t>(stage * chunks + chunk)];
  }
};

/// From the first pass to the end of the last, by walking every pass of every stage in the order of the schedule:
/// GPipe (arXiv 1811.06965, section 2.3), 1F1B and its interleaved form (arXiv 2104.04473, section 2.2), and ZB-H1
/// (arXiv 2401.10241, section 2.3: products for weight gradients fill the waits, and no stage holds more micro-batches
/// than the first does under 1F1B). Under zero_bubble_v, whose order its authors make by a search of their own, it is
/// pipeline_floor. Not modelled: stages that slow each other down by sharing a network.
Seconds walk_pipeline(const PipelineWork& work);

/// A time that walk_pipeline never beats, in closed form: O(stages). Any schedule: the first micro-batch comes down to
/// a stage, the stage does all of its passes, the last gradients go up. GPipe besides: two sweeps, each paced by its
/// slowest stage. 1F1B besides: down and back with the first micro-batch, a stage's own pace, down and back with the
/// last. Without sends these two are the walk itself, however uneven the stages are, and so is the first for equal
/// stages of interleaved 1F1B. With sends of up to 2 % of a pass the walk is within 1 % of it, and within 6 % for
/// interleaved stages that differ by 5 %; zero_bubble up to a quarter more with few micro-batches.
/// Tested: src/time/pipeline_walk_test.cpp.
Seconds pipeline_floor(const PipelineWork& work);

}  // namespace mekiki
