#include "memory/replay.h"

#include <gtest/gtest.h>

#include "job/profile_for_tests.h"
#include "memory/memory.h"
#include "model/small_arch_for_tests.h"
#include "program/lower.h"

namespace mekiki {
namespace {

struct Lowered {
  ResolvedJob job;
  Profile profile;
  StepProgram program;
};

/// Long enough that blocks are counted in MiB and rounding is nothing.
Lowered lowered(Job job, const ParallelLayout& layout, bool stream_pools = false) {
  Lowered l;
  l.profile = for_tests::plain_profile();
  l.profile.memory.sharding.style = DataParallelStyle::fsdp2;
  l.profile.memory.sharding.stream_pools = stream_pools;
  const Arch arch = for_tests::dense_arch();
  job.sequence_length = 1 << 17;
  l.job = with_defaults(job, l.profile, {}).value();
  l.program = lower(prepare_model(arch, l.job).value(), l.job, layout, l.profile).value();
  return l;
}

Bytes walked(const Lowered& l, const StageProgram& stage) {
  const MemoryReport report = memory(l.program, l.job, l.profile, InputQuality::stated);
  for (const StageMemory& of_stage : report.stages) {
    if (of_stage.stage == stage.role.stage) {
      return of_stage.allocated;
    }
  }
  return {};
}

TEST(Replay, SeesTheLiveBytesOfTheWalk) {
  for (const auto recompute : {ActivationRecompute::none, ActivationRecompute::selective, ActivationRecompute::full}) {
    for (const std::int64_t accumulation : {1, 4}) {
      for (const auto& layout :
           {ParallelLayout{}, ParallelLayout{.dp_shard = 4, .zero_stage = 3}, ParallelLayout{.pipeline_parallel = 2}}) {
        const Lowered l =
            lowered({.gradient_accumulation_steps = accumulation, .activation_recompute = recompute}, layout);
        for (const StageProgram& stage : l.program.stages) {
          const ReplayedBytes replayed = replay(l.program, stage, l.job, l.profile);
          EXPECT_NEAR(replayed.allocated / walked(l, stage), 1.0, 0.02);
          EXPECT_LE(replayed.allocated, replayed.reserved);
          EXPECT_FALSE(replayed.out_of_memory);
        }
      }
    }
  }
}

TEST(Replay, ExpandableSegmentsReserveLittleMoreThanIsLive) {
  const Lowered l = lowered({.allocator = {.expandable_segments = true}}, {});
  const ReplayedBytes replayed = replay(l.program, l.program.stages.front(), l.job, l.profile);
  // At most a page of each pool is only part filled.
  EXPECT_LE(replayed.reserved / replayed.allocated, 1.02);
}

TEST(Replay, StreamsOfTheirOwnNeverTakeLess) {
  const ParallelLayout layout{.dp_shard = 4, .zero_stage = 3};
  const Lowered one = lowered({}, layout, false), two = lowered({}, layout, true);
  const Bytes together = replay(one.program, one.program.stages.front(), one.job, one.profile).reserved;
  const Bytes apart = replay(two.program, two.program.stages.front(), two.job, two.profile).reserved;
  EXPECT_GE(apart, together);
}

TEST(Replay, RunsOutOfMemoryBelowWhatIsLive) {
  const Lowered l = lowered({}, {});
  const StageProgram& stage = l.program.stages.front();
  const ReplayedBytes free = replay(l.program, stage, l.job, l.profile);
  EXPECT_FALSE(replay(l.program, stage, l.job, l.profile, free.reserved).out_of_memory);
  EXPECT_TRUE(replay(l.program, stage, l.job, l.profile, 0.9 * free.allocated).out_of_memory);
}

// Source: pytorch/pytorch docs/source/notes/cuda.rst, "Graph memory management": a graph's pool is its own.
TEST(Replay, GraphsShareNoBlocksWithTheRest) {
  const Lowered eager = lowered({}, {}), graphs = lowered({.cuda_graphs = true}, {});
  const StageProgram& stage = eager.program.stages[0];
  const ReplayedBytes plain = replay(eager.program, stage, eager.job, eager.profile);
  const ReplayedBytes captured = replay(graphs.program, graphs.program.stages[0], graphs.job, graphs.profile);
  EXPECT_EQ(captured.allocated, plain.allocated);
  EXPECT_GT(captured.reserved, plain.reserved);
}

}  // namespace
}  // namespace mekiki
