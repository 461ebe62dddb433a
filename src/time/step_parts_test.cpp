#include "time/step_parts.h"

#include <cmath>

#include <gtest/gtest.h>

#include "job/profile_for_tests.h"
#include "model/small_arch_for_tests.h"
#include "program/lower.h"
#include "time/machine_for_tests.h"

namespace mekiki {
namespace {

struct Setting {
  ParallelLayout layout{};
  Offload offload = Offload::none;
  ActivationRecompute recompute = ActivationRecompute::none;
  double launch_us = 0;
};

struct Answer {
  TimeReport report;
  std::vector<StepPart> parts;
};

Answer answer_of(const Setting& s) {
  Profile profile = for_tests::plain_profile();
  profile.time.launch_forward_per_layer = s.launch_us * kMicrosecond;
  profile.time.step_overhead = Seconds{0.001};
  Job job;
  job.sequence_length = 1024;
  job.gradient_accumulation_steps = 4;
  job.offload = s.offload;
  job.activation_recompute = s.recompute;
  const ResolvedJob resolved = with_defaults(job, profile, {}).value();
  const PreparedModel model = prepare_model(for_tests::dense_arch(8), resolved).value();
  const StepProgram program = lower(model, resolved, s.layout, profile).value();
  const GpuRates rates = for_tests::round_rates();
  const ClusterView cluster = for_tests::round_cluster();
  return {step_time(program, resolved, profile, rates, cluster, InputQuality::stated),
          step_parts(program, resolved, profile, rates, cluster)};
}

TEST(StepParts, AddUpToEveryCause) {
  for (const Setting& s : {Setting{},
                           Setting{.recompute = ActivationRecompute::full, .launch_us = 3000},
                           Setting{.layout = {.dp_replicate = 16}},
                           Setting{.layout = {.dp_shard = 16, .zero_stage = 3}},
                           Setting{.layout = {.tensor_parallel = 8, .sequence_parallel = true}},
                           Setting{.layout = {.dp_replicate = 2, .pipeline_parallel = 4}},
                           Setting{.offload = Offload::everything}}) {
    const Answer answer = answer_of(s);
    std::array<Seconds, kTimeCauses> sums{};
    for (const StepPart& part : answer.parts) {
      EXPECT_GT(part.total(), Seconds{});
      sums[static_cast<std::size_t>(part.cause)] += part.total();
    }
    for (std::size_t c = 0; c < kTimeCauses; ++c) {
      const double seconds = answer.report.causes[c] / kSecond;
      EXPECT_NEAR(sums[c] / kSecond, seconds, 1e-12 * seconds + 1e-18) << EnumNames<TimeCause>::value[c];
    }
  }
}

TEST(StepParts, EqualLayersAreOnePart) {
  for (const StepPart& part : answer_of({}).parts) {
    if (part.kind == StepPartKind::op && part.segment == SegmentKind::layer_forward) {
      EXPECT_EQ(part.times / (8 * 4), std::floor(part.times / (8 * 4))) << part.op;
    }
  }
}

TEST(StepParts, WhatIsOffloadedCrossesTheHostLink) {
  const Answer held = answer_of({});
  for (const Offload offload : {Offload::optimizer, Offload::optimizer_and_weights, Offload::activations}) {
    const Answer moved = answer_of({.offload = offload});
    const auto other = static_cast<std::size_t>(TimeCause::other);
    EXPECT_GT(moved.report.causes[other], held.report.causes[other]) << enum_name(offload);
  }
}

}  // namespace
}  // namespace mekiki
