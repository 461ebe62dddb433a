#include "time/step_time.h"

#include <gtest/gtest.h>

#include "job/profile_for_tests.h"
#include "model/small_arch_for_tests.h"
#include "program/lower.h"
#include "time/machine_for_tests.h"

namespace mekiki {
namespace {

struct Setting {
  ParallelLayout layout{};
  ActivationRecompute recompute = ActivationRecompute::none;
  std::int64_t accumulation = 2;
  double launch_us = 0;
  Job job{};
};

Profile profile_of(const Setting& s) {
  Profile profile = for_tests::plain_profile();
  profile.time.launch_forward_per_layer = s.launch_us * kMicrosecond;
  profile.time.launch_backward_per_layer = 2.0 * s.launch_us * kMicrosecond;
  return profile;
}

TimeReport report_of(const Setting& s, const ClusterView& cluster = for_tests::round_cluster()) {
  const Profile profile = profile_of(s);
  Job job = s.job;
  job.sequence_length = 1024;
  job.gradient_accumulation_steps = s.accumulation;
  job.activation_recompute = s.recompute;
  const ResolvedJob resolved = with_defaults(job, profile, {}).value();
  const PreparedModel model = prepare_model(for_tests::dense_arch(8), resolved).value();
  const StepProgram program = lower(model, resolved, s.layout, profile).value();
  return step_time(program, resolved, profile, for_tests::round_rates(), cluster, InputQuality::stated);
}

Seconds cause(const TimeReport& r, TimeCause c) {
  return r.at(c);
}

TEST(StepTime, CausesAddUpAndRatesAgree) {
  for (const ParallelLayout& layout : {ParallelLayout{},
                                       ParallelLayout{.dp_replicate = 8},
                                       ParallelLayout{.dp_shard = 16, .zero_stage = 3},
                                       ParallelLayout{.tensor_parallel = 8, .sequence_parallel = true},
                                       ParallelLayout{.pipeline_parallel = 4},
                                       ParallelLayout{.context_parallel = 2}}) {
    const TimeReport r = report_of({.layout = layout});
    Seconds sum;
    for (const Seconds s : r.causes) {
      EXPECT_GE(s, Seconds{});
      sum += s;
    }
    EXPECT_NEAR(sum / r.step_time.mid, 1.0, 1e-12);
    EXPECT_DOUBLE_EQ((r.tokens_per_s * r.step_time.mid).base(), r.tokens_per_step);
    EXPECT_DOUBLE_EQ((r.tokens_per_s_per_gpu * static_cast<double>(layout.world_size())).base(), r.tokens_per_s.base());
    EXPECT_LE(r.step_time.low, r.step_time.mid);
    EXPECT_LE(r.step_time.mid, r.step_time.high);
    EXPECT_GT(r.mfu, 0.0);
    EXPECT_LE(r.mfu, r.hfu);
    EXPECT_LT(r.hfu, 1.0);
  }
}

TEST(StepTime, RecomputeCostsTimeAndNeverModelFlops) {
  const TimeReport none = report_of({}), full = report_of({.recompute = ActivationRecompute::full});
  EXPECT_GT(full.step_time.mid, none.step_time.mid);
  EXPECT_GT(full.hfu, full.mfu);
  EXPECT_DOUBLE_EQ(none.hfu, none.mfu);
  EXPECT_NEAR(
      (full.model_flops_per_gpu * full.step_time.mid) / (none.model_flops_per_gpu * none.step_time.mid), 1.0, 1e-12);
}

TEST(StepTime, AStepIsNeverFasterThanItsLaunches) {
  const TimeReport r = report_of({.launch_us = 5000});
  // 2 micro-batches x 8 layers x (5 + 10) ms of launches.
  EXPECT_GE(r.step_time.mid, Seconds{2 * 8 * 0.015});
  EXPECT_GT(cause(r, TimeCause::launch), Seconds{});
  EXPECT_EQ(cause(report_of({}), TimeCause::launch), Seconds{});
}

TEST(StepTime, ReplicasNeverMoreThanMultiplyTheRate) {
  TokensPerSecond before = report_of({}).tokens_per_s;
  for (const std::int64_t replicas : {2, 4, 8, 16, 32}) {
    const TokensPerSecond now = report_of({.layout = {.dp_replicate = replicas}}).tokens_per_s;
    EXPECT_LE(now, 2.0 * before) << replicas;
    before = now;
  }
}

TEST(StepTime, MoreMicroBatchesShrinkTheBubble) {
  const auto share = [](std::int64_t micro_batches) {
    const TimeReport r = report_of({.layout = {.pipeline_parallel = 4}, .accumulation = micro_batches});
    return cause(r, TimeCause::pipeline) / r.step_time.mid;
  };
  EXPECT_GT(share(4), share(8));
  EXPECT_GT(share(8), share(64));
}

TEST(StepTime, ASlowNetworkIsNamed) {
  ClusterView slow = for_tests::round_cluster();
  slow.network_per_gpu = BytesPerSecond{1e8};
  const Setting setting{.layout = {.dp_replicate = 64}};
  EXPECT_GT(report_of(setting, slow).communication_share(), report_of(setting).communication_share());
}

Flops hardware_flops(const TimeReport& r) {
  return r.hfu * FlopsPerSecond{1e14} * r.step_time.mid;
}

// Terms of the cost at a fixed layout, over every kind of layout and both ways of GPUs getting better.
TEST(StepTime, MoreBandwidthOrAHigherPeakNeverRaisesATerm) {
  const ParallelLayout layouts[] = {{},
                                    {.dp_replicate = 16},
                                    {.dp_shard = 16, .zero_stage = 3},
                                    {.tensor_parallel = 8, .sequence_parallel = true},
                                    {.tensor_parallel = 2, .pipeline_parallel = 4},
                                    {.dp_shard = 2, .context_parallel = 4, .zero_stage = 1}};
  const Profile profile = profile_of({.launch_us = 100});
  const ResolvedJob job =
      with_defaults({.sequence_length = 1024, .gradient_accumulation_steps = 4}, profile, {}).value();
  const PreparedModel model = prepare_model(for_tests::dense_arch(8), job).value();
  for (const ParallelLayout& layout : layouts) {
    const StepProgram program = lower(model, job, layout, profile).value();
    const auto time_with = [&](double bandwidth, double peak, double network) {
      Gpu gpu = for_tests::round_gpu();
      gpu.memory_bandwidth = bandwidth * gpu.memory_bandwidth;
      gpu.peaks.bf16 = peak * *gpu.peaks.bf16;
      GpuRates rates = for_tests::round_rates();
      rates.gpu = &gpu;
      ClusterView cluster = for_tests::round_cluster();
      cluster.network_per_gpu = network * cluster.network_per_gpu;
      return step_time(program, job, profile, rates, cluster, InputQuality::stated);
    };
    const TimeReport plain = time_with(1, 1, 1);
    for (const TimeReport& better : {time_with(2, 1, 1), time_with(1, 2, 1), time_with(1, 1, 2)}) {
      for (const TimeCause c : {TimeCause::gemm,
                                TimeCause::attention,
                                TimeCause::memory_bound,
                                TimeCause::tensor_communication,
                                TimeCause::optimizer}) {
        EXPECT_LE(cause(better, c), cause(plain, c)) << describe(layout) << " " << enum_name(c);
      }
      // What hides beside the device or waits for it is a difference: only the whole may not grow.
      EXPECT_LE(better.step_time.mid, plain.step_time.mid) << describe(layout);
    }
  }
}

TEST(StepTime, MoreRecomputeNeverLowersFlops) {
  Flops before;
  for (const ActivationRecompute recompute :
       {ActivationRecompute::none, ActivationRecompute::selective, ActivationRecompute::full}) {
    const Flops flops = hardware_flops(report_of({.recompute = recompute}));
    EXPECT_GE(flops.base(), before.base() * (1.0 - 1e-12)) << enum_name(recompute);
    before = flops;
  }
}

TEST(StepTime, ZeroBubbleFillsWhatOneForwardOneBackwardWaits) {
  const auto bubble = [](PipelineSchedule schedule) {
    const TimeReport r =
        report_of({.layout = {.pipeline_parallel = 4}, .accumulation = 8, .job = {.pipeline_schedule = schedule}});
    return cause(r, TimeCause::pipeline);
  };
  EXPECT_NEAR(bubble(PipelineSchedule::gpipe) / bubble(PipelineSchedule::one_f_one_b), 1.0, 0.02) << "but for sends";
  EXPECT_LT(bubble(PipelineSchedule::zero_bubble), bubble(PipelineSchedule::one_f_one_b));
  EXPECT_LE(bubble(PipelineSchedule::zero_bubble_v), bubble(PipelineSchedule::zero_bubble));
}

/// Loaders fill beside the step: only what they take longer is waited for, and then they set the pace.
TEST(StepTime, SlowLoadersSetThePace) {
  const TimeReport free = report_of({});
  const double rate = free.tokens_per_s.base();
  const auto with_loaders = [&](double share) {
    return report_of({.job = {.data_loader_tokens_per_s = static_cast<std::int64_t>(share * rate)}});
  };
  EXPECT_EQ(cause(with_loaders(1.1), TimeCause::data_loading), Seconds{});
  EXPECT_EQ(with_loaders(1.1).step_time.mid, free.step_time.mid);
  EXPECT_NEAR(with_loaders(0.5).tokens_per_s.base() / rate, 0.5, 1e-4);
  EXPECT_NEAR(cause(with_loaders(0.5), TimeCause::data_loading) / with_loaders(0.5).step_time.mid, 0.5, 1e-4);
  EXPECT_NEAR(with_loaders(0.5).gpu_utilization(), 0.5 * free.gpu_utilization(), 1e-4);
}

TEST(StepTime, GraphsAreNotWaitedFor) {
  const TimeReport eager = report_of({.launch_us = 1e5});
  const TimeReport graphs = report_of({.launch_us = 1e5, .job = {.cuda_graphs = true}});
  EXPECT_GT(cause(eager, TimeCause::launch), Seconds{});
  EXPECT_EQ(cause(graphs, TimeCause::launch), Seconds{});
}

TEST(StepTime, PaddingCountsAsTimeAndNotAsTokens) {
  const LengthQuantiles lengths{{0.5, 200}, {1.0, 1024}};
  const TimeReport padded = report_of({.job = {.micro_batch_size = 8, .length_quantiles = lengths}});
  const TimeReport full = report_of({.job = {.micro_batch_size = 8}});
  EXPECT_LT(padded.real_token_share, 1.0);
  EXPECT_NEAR(padded.tokens_per_step, full.tokens_per_step * padded.real_token_share, 1e-6);
  const Job packed{.micro_batch_size = 8,
                   .attention = AttentionKernel::flash2,
                   .lengths = Lengths::packed,
                   .length_quantiles = lengths};
  const TimeReport documents = report_of({.job = packed});
  EXPECT_EQ(documents.real_token_share, 1.0);
  EXPECT_LT(cause(documents, TimeCause::attention), cause(full, TimeCause::attention));
}

}  // namespace
}  // namespace mekiki
