#include "memory/memory.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "job/profile_for_tests.h"
#include "memory/quick_rule.h"
#include "model/small_arch_for_tests.h"
#include "program/lower.h"

namespace mekiki {
namespace {

struct Setting {
  Arch arch = for_tests::dense_arch();
  std::int64_t sequence_length = 64, micro_batch_size = 2, accumulation = 1;
  ActivationRecompute recompute = ActivationRecompute::none;
  ParallelLayout layout{};
  Method method = Method::full;
  std::int64_t rank = 8;
  DataParallelStyle style = DataParallelStyle::fsdp2;
};

struct Lowered {
  ResolvedJob job;
  Profile profile;
  StepProgram program;
};

Lowered lower_setting(const Setting& s) {
  Lowered l;
  l.profile = for_tests::plain_profile();
  l.profile.memory.sharding.style = s.style;
  Job job;
  job.method = s.method;
  job.sequence_length = s.sequence_length;
  job.micro_batch_size = s.micro_batch_size;
  job.gradient_accumulation_steps = s.accumulation;
  job.activation_recompute = s.recompute;
  job.lora.emplace();
  job.lora->rank = s.rank;
  l.job = with_defaults(job, l.profile, {}).value();
  l.program = lower(prepare_model(s.arch, l.job).value(), l.job, s.layout, l.profile).value();
  return l;
}

MemoryReport report_of(const Setting& s) {
  const Lowered l = lower_setting(s);
  return memory(l.program, l.job, l.profile, InputQuality::stated);
}

/// The slow way: every layer of every micro-batch, op by op, with every live tensor in a list.
class NaiveSimulation {
 public:
  NaiveSimulation(const StepProgram& program, const StageProgram& stage, PhaseKind phase) : program_(program) {
    accumulate_ = phase == PhaseKind::later_micro_batches && program.micro_batches > 1;
    for (const Resident& resident : program.residents_of(stage)) {
      live_ += resident.phases & phase_bit(phase) ? resident.bytes / kByte : 0.0;
    }
    peak_ = live_;
    for (const TimelinePart& part : program.parts_of(stage.phases[static_cast<std::size_t>(phase)])) {
      for (int i = 0; i < static_cast<int>(part.repeat); ++i) {
        for (const SegmentRun& run : program.runs_of(part)) {
          for (int j = 0; j < static_cast<int>(run.repeat); ++j) {
            play(program.segments[static_cast<std::size_t>(run.segment)]);
          }
        }
      }
    }
  }
  double peak() const { return peak_; }
  double left() const { return live_; }

 private:
  void play(const Segment& segment) {
    for (std::int16_t op = 0; op < std::max(segment.op_count, 1); ++op) {
      for (const Tensor& t : program_.tensors_of(segment)) {
        live_ += t.lifetime != Lifetime::released && t.born == op ? t.bytes / kByte : 0.0;
      }
      peak_ = std::max(peak_, live_);
      for (const Tensor& t : program_.tensors_of(segment)) {
        const bool stays = t.lifetime == Lifetime::kept || (t.lifetime == Lifetime::until_optimizer && !accumulate_);
        live_ -= !stays && t.freed == op ? t.bytes / kByte : 0.0;
      }
    }
  }

  const StepProgram& program_;
  bool accumulate_ = false;
  double live_ = 0, peak_ = 0;
};

std::vector<Setting> small_settings() {
  std::vector<Setting> all;
  for (const Arch& arch : {for_tests::dense_arch(), for_tests::mixed_arch(), for_tests::moe_arch(8)}) {
    for (const auto recompute :
         {ActivationRecompute::none, ActivationRecompute::selective, ActivationRecompute::full}) {
      for (const std::int64_t accumulation : {1, 4}) {
        for (const ParallelLayout& layout :
             {ParallelLayout{},
              ParallelLayout{.dp_shard = 4, .zero_stage = 3},
              ParallelLayout{.dp_shard = 2, .zero_stage = 2},
              ParallelLayout{.dp_shard = 2, .zero_stage = 1},
              ParallelLayout{.tensor_parallel = 4, .sequence_parallel = true},
              ParallelLayout{.pipeline_parallel = 4},
              ParallelLayout{.dp_shard = 2, .tensor_parallel = 2, .pipeline_parallel = 2, .zero_stage = 1}}) {
          all.push_back({.arch = arch, .accumulation = accumulation, .recompute = recompute, .layout = layout});
        }
      }
    }
  }
  return all;
}

TEST(Memory, WalkEqualsTheNaiveSimulation) {
  int compared = 0;
  for (const Setting& setting : small_settings()) {
    const Lowered l = lower_setting(setting);
    const MemoryReport report = memory(l.program, l.job, l.profile, InputQuality::stated);
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
      double worst = 0;
      for (const StageProgram& stage : l.program.stages) {
        worst = std::max(worst, NaiveSimulation(l.program, stage, static_cast<PhaseKind>(phase)).peak());
      }
      EXPECT_NEAR(report.phase_peaks[phase].base(), worst, 1e-6 * worst)
          << "setting " << compared << " phase " << phase;
    }
    ++compared;
  }
  EXPECT_EQ(compared, 126);
}

TEST(Memory, AMicroBatchLeavesNothingButGradients) {
  for (const Setting& setting : small_settings()) {
    const Lowered l = lower_setting(setting);
    if (l.program.stages.front().micro_batches_in_flight != 1.0 || l.program.micro_batches == 1) {
      continue;
    }
    const StageProgram& stage = l.program.stages.front();
    double residents = 0;
    for (const Resident& resident : l.program.residents_of(stage)) {
      residents += resident.phases & phase_bit(PhaseKind::later_micro_batches) ? resident.bytes / kByte : 0.0;
    }
    EXPECT_NEAR(NaiveSimulation(l.program, stage, PhaseKind::later_micro_batches).left(), residents, 1.0);
  }
}

TEST(Memory, NumbersAddUpAndAreOrdered) {
  for (const Setting& setting : small_settings()) {
    const MemoryReport r = report_of(setting);
    EXPECT_NEAR((total(r.categories) + r.allocator + r.context).base(), r.device.mid.base(), 1.0);
    EXPECT_LE(r.allocated.mid, r.reserved.mid);
    EXPECT_LE(r.reserved.mid, r.device.mid);
    EXPECT_LE(r.device.low, r.device.mid);
    EXPECT_LE(r.device.mid, r.device.high);
    for (const Bytes category : r.categories) {
      EXPECT_GE(category.base(), -1e-6);
    }
  }
}

TEST(Memory, TheSearchSeesTheSamePeak) {
  for (const Setting& setting : small_settings()) {
    const Lowered l = lower_setting(setting);
    const MemoryReport full = memory(l.program, l.job, l.profile, InputQuality::stated);
    const Bytes quick = memory_peak(l.program, l.profile).allocated;
    // Which of several stages is worst may depend on the allocator.
    EXPECT_TRUE(std::any_of(
        full.stages.begin(), full.stages.end(), [&](const StageMemory& stage) { return stage.allocated == quick; }));
  }
}

TEST(Memory, TheClosedFormIsNearTheReplay) {
  for (const Setting& small : small_settings()) {
    Setting setting = small;
    setting.sequence_length = 1 << 16;  // blocks of MiB
    const Lowered l = lower_setting(setting);
    const MemoryReport full = memory(l.program, l.job, l.profile, InputQuality::stated);
    const double ratio = full.reserved.mid / memory_peak(l.program, l.profile).reserved;
    EXPECT_GE(ratio, 0.85);
    EXPECT_LE(ratio, 1.45);
  }
}

Bytes states(const MemoryReport& r) {
  return r.categories[static_cast<std::size_t>(Category::optimizer_states)] +
         r.categories[static_cast<std::size_t>(Category::weights)];
}

TEST(Memory, MoreOfAnythingNeverTakesLess) {
  for (const auto recompute : {ActivationRecompute::none, ActivationRecompute::full}) {
    Bytes before;
    for (const std::int64_t micro_batch : {1, 2, 4, 8, 16}) {
      const Bytes now = report_of({.micro_batch_size = micro_batch, .recompute = recompute}).allocated.mid;
      EXPECT_GE(now, before);
      before = now;
    }
    before = {};
    for (const std::int64_t length : {16, 32, 64, 128, 1024}) {
      const Bytes now = report_of({.sequence_length = length, .recompute = recompute}).allocated.mid;
      EXPECT_GE(now, before);
      before = now;
    }
    before = {};
    for (const std::int64_t rank : {1, 4, 16, 64}) {
      const Bytes now = report_of({.recompute = recompute, .method = Method::lora, .rank = rank}).allocated.mid;
      EXPECT_GE(now, before);
      before = now;
    }
  }
}

TEST(Memory, MoreShardingNeverHoldsMoreStates) {
  for (const auto style :
       {DataParallelStyle::fsdp2, DataParallelStyle::zero, DataParallelStyle::distributed_optimizer}) {
    Bytes before{1e18};
    for (const int stage : {0, 1, 2, 3}) {
      const ParallelLayout layout{.dp_shard = 4, .zero_stage = stage};
      const Bytes now = states(report_of({.sequence_length = 8, .layout = layout, .style = style}));
      EXPECT_LE(now, before) << "stage " << stage;
      before = now;
    }
    before = Bytes{1e18};
    for (const std::int64_t shards : {2, 4, 8, 16}) {
      const Bytes now =
          states(report_of({.sequence_length = 8, .layout = {.dp_shard = shards, .zero_stage = 3}, .style = style}));
      EXPECT_LE(now, before) << shards << " shards";
      before = now;
    }
  }
}

TEST(Memory, RecomputeNeverKeepsMore) {
  const auto kept = [](ActivationRecompute recompute) {
    return report_of({.sequence_length = 512, .recompute = recompute})
        .categories[static_cast<std::size_t>(Category::activations)];
  };
  EXPECT_LE(kept(ActivationRecompute::full), kept(ActivationRecompute::selective));
  EXPECT_LE(kept(ActivationRecompute::selective), kept(ActivationRecompute::none));
}

TEST(QuickRule, PublishedGuideFigures) {
  // Requirement A1: 1e9 parameters 11.2 GiB, 3e9 33.5 GiB at 12 bytes.
  const QuickRule& rule = quick_rules().front();
  EXPECT_EQ(rule.bytes_per_parameter(), 12.0);
  EXPECT_NEAR(quick_states(rule, 1e9) / kGiB, 11.2, 0.05);
  EXPECT_NEAR(quick_states(rule, 3e9) / kGiB, 33.5, 0.05);
}

TEST(Verdict, ThresholdsOfTheContract) {
  struct Row {
    double mid, capacity, headroom;
    Verdict verdict;
  };
  for (const Row& row : {Row{10, 12, 0.2, Verdict::fits},
                         Row{10.01, 12, 0.2, Verdict::tight},
                         Row{12, 12, 0.2, Verdict::tight},
                         Row{12.01, 12, 0.2, Verdict::does_not_fit},
                         Row{10, 12, 0.0, Verdict::fits}}) {
    const auto device = with_band(Bytes{row.mid}, {0.9, 1.1}, Basis::assumed);
    EXPECT_EQ(verdict_of(device, Bytes{row.capacity}, row.headroom), row.verdict) << row.mid;
  }
}

TEST(Verdict, ProbabilityFollowsTheBand) {
  const auto device = with_band(Bytes{10}, {0.8, 1.25}, Basis::assumed);
  EXPECT_NEAR(oom_probability(device, Bytes{10}), 0.5, 1e-12);
  EXPECT_NEAR(oom_probability(device, Bytes{12.5}), 0.1, 1e-6);  // the band's upper end is its 90th percentile
  EXPECT_NEAR(oom_probability(device, Bytes{8}), 0.9, 1e-6);
  EXPECT_GT(oom_probability(device, Bytes{5}), 0.999);
}

TEST(OnDevice, CachedBlocksYieldToTheCapacity) {
  const Lowered l = lower_setting({});
  const MemoryReport report = memory(l.program, l.job, l.profile, InputQuality::stated);
  const Bytes between = 0.5 * (report.needed.mid + report.device.mid);
  ASSERT_LT(report.needed.mid, report.device.mid);
  const struct {
    Bytes capacity, device;
    Verdict verdict;
  } cases[] = {{2.0 * report.device.mid, report.device.mid, Verdict::fits},
               {between, between, Verdict::tight},
               {0.9 * report.needed.mid, report.device.mid, Verdict::does_not_fit}};
  for (const auto& c : cases) {
    const MemoryReport on = on_device(report, c.capacity);
    EXPECT_DOUBLE_EQ(on.device.mid / kByte, c.device / kByte);
    EXPECT_EQ(verdict_of(on.device, c.capacity, 0.2), c.verdict);
    EXPECT_NEAR((total(on.categories) + on.allocator + on.context) / kByte, on.device.mid / kByte, 1.0);
    EXPECT_LE(on.device.low, on.device.mid);
    EXPECT_LE(on.device.mid, on.device.high);
  }
}

TEST(Memory, WholeGradientsBetweenUnsynchronisedMicroBatches) {
  Setting sharded{.accumulation = 4, .layout = {.dp_shard = 4, .zero_stage = 3}};
  const Lowered plain = lower_setting(sharded);
  Lowered kept = plain;
  kept.profile.memory.sharding.accumulates_unsharded = UnshardedAccumulation::trained;
  kept.program =
      lower(prepare_model(for_tests::dense_arch(), kept.job).value(), kept.job, sharded.layout, kept.profile).value();
  const auto bytes_of = [](const Lowered& l, Name name) {
    Bytes sum;
    for (const Resident& resident : l.program.residents) {
      sum += resident.name == name ? resident.bytes : Bytes{};
    }
    return sum;
  };
  EXPECT_EQ(bytes_of(plain, "unsharded_gradients"), Bytes{});
  // fp32, over all ranks: four times the shard that stays in either case.
  EXPECT_NEAR(bytes_of(kept, "unsharded_gradients") / kByte, 4.0 * (bytes_of(kept, "gradients") / kByte), 8.0);
}

Bytes held(const StepProgram& program, Category category, double ranks_of_a_stage) {
  Bytes sum;
  const std::int64_t last = program.layout.pipeline_parallel - 1;
  for (const StageProgram& stage : program.stages) {
    const bool between = stage.role.stage > 0 && stage.role.stage < last;
    const double stages = between ? static_cast<double>(last - 1) : 1.0;
    for (const Resident& resident : program.residents_of(stage)) {
      sum += resident.category == category && resident.name != "unsharded_at_load"
                 ? stages * ranks_of_a_stage * resident.bytes
                 : Bytes{};
    }
  }
  return sum;
}

// What nothing replicates adds up, over all ranks, to what one GPU would hold.
TEST(Memory, SumsOverRanksEqualTheWhole) {
  const StepProgram alone = lower_setting({}).program;
  const std::pair<ParallelLayout, double> layouts[] = {
      {{.dp_shard = 8, .zero_stage = 3}, 8},
      {{.pipeline_parallel = 2}, 1},
      {{.pipeline_parallel = 4}, 1},
      {{.dp_shard = 4, .pipeline_parallel = 4, .zero_stage = 3}, 4},
      {{.dp_shard = 2, .context_parallel = 4, .zero_stage = 3}, 8},
  };
  for (const auto& [layout, ranks] : layouts) {
    const StepProgram split = lower_setting({.layout = layout}).program;
    for (const Category category : {Category::weights, Category::optimizer_states}) {
      EXPECT_NEAR(held(split, category, ranks) / held(alone, category, 1), 1.0, 1e-12)
          << describe(layout) << " " << enum_name(category);
    }
  }
  // Tensor and expert ranks repeat norms and routers alone.
  for (const Arch& arch : {for_tests::dense_arch(), for_tests::moe_arch()}) {
    const StepProgram whole = lower_setting({.arch = arch}).program;
    for (const ParallelLayout& layout : {ParallelLayout{.tensor_parallel = 2, .expert_tensor_parallel = 2},
                                         ParallelLayout{.dp_shard = 4, .expert_parallel = 4, .zero_stage = 3}}) {
      const StepProgram split = lower_setting({.arch = arch, .layout = layout}).program;
      const double ranks = static_cast<double>(layout.world_size());
      const double ratio = held(split, Category::weights, ranks) / held(whole, Category::weights, 1);
      EXPECT_GE(ratio, 1.0 - 1e-12) << describe(layout);
      EXPECT_LT(ratio, 1.02) << describe(layout);
    }
  }
}

}  // namespace
}  // namespace mekiki
