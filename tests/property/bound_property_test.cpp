// The bounds that let a search skip candidates: each is compared with what it stands for, over many layouts.
#include <algorithm>

#include <gtest/gtest.h>

#include "plan_world.h"
#include "search/bounds.h"
#include "search/candidate.h"
#include "search/evaluator.h"

namespace mekiki {
namespace {

struct Case {
  std::string_view framework;
  std::string_view config;
  Method method;
};

const Case kCases[] = {
    {"hf-trainer", "data/models/meta-llama__Llama-3.2-1B.json", Method::full},
    {"hf-trainer", "data/models/meta-llama__Llama-3.2-1B.json", Method::qlora},
    {"torchtitan", "data/models/meta-llama__Meta-Llama-3.1-8B.json", Method::full},
    {"deepspeed", "data/models/meta-llama__Meta-Llama-3.1-8B.json", Method::full},
    {"megatron-core", "data/models/meta-llama__Meta-Llama-3.1-8B.json", Method::full},
    {"torchtitan", "data/models/mistralai__Mixtral-8x7B-v0.1.json", Method::full},
    {"megatron-core", "data/models/mistralai__Mixtral-8x7B-v0.1.json", Method::full},
};

struct Setting {
  PlanWorld world;
  ResolvedJob job;
  PreparedModel model;
  const Machine* machine = nullptr;

  explicit Setting(const Case& c) : world({std::string(c.framework)}, c.config) {
    const Job asked{.method = c.method, .sequence_length = 4096};
    job = PlanWorld::checked(with_defaults(asked, world.profiles.front(), {.max_position_embeddings = 131072}));
    model = PlanWorld::checked(prepare_model(world.arch, job));
    for (const Machine& m : world.market.machines) {
      machine = m.system.id == "azure-nd96isr-h100-v5" ? &m : machine;
    }
  }
};

/// Calls back for every candidate on 16 GPUs that can be lowered.
template <class Check>
void for_each_candidate(const Case& c, const Check& check) {
  Setting s(c);
  ASSERT_NE(s.machine, nullptr);
  const Profile& profile = s.world.profiles.front();
  const SearchSpace space{.global_batch_size = 64, .batch_may_grow = true};
  const ClusterSize cluster{16, 8, 8};
  LayoutEvaluator evaluator(s.model, s.job, profile, *s.machine->rates);
  LayoutEvaluator other(s.model, s.job, profile, *s.machine->rates);
  int checked = 0;
  for (const ParallelLayout& layout :
       layouts_of(profile, limits_of(s.world.arch, 4096, 16), cluster, space, trains_adapters_only(c.method))) {
    for (const std::int64_t micro_batch : micro_batches_of(space, layout)) {
      for (const ActivationRecompute recompute : recomputes_of(space, profile)) {
        const auto batch = global_batch_on(space, layout, micro_batch);
        const Candidate candidate{layout, micro_batch, recompute, batch.value_or(0)};
        if (batch && evaluator.choose(candidate)) {
          check(s, candidate, evaluator, other);
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 5) << c.framework;
}

TEST(SharedUnits, ChangeNothing) {
  // Lowering with units that earlier candidates left behind against lowering alone.
  for (const Case& c : kCases) {
    for_each_candidate(
        c, [&](const Setting& s, const Candidate& candidate, LayoutEvaluator& evaluator, LayoutEvaluator& other) {
          ASSERT_TRUE(other.choose(candidate, Detail::full));
          EXPECT_EQ(evaluator.peak().device.base(), other.peak().device.base()) << describe(candidate.layout);
          EXPECT_EQ(evaluator.peak().allocated.base(), other.peak().allocated.base());
          EXPECT_EQ(evaluator.time(s.machine->cluster).step_time.base(),
                    other.time(s.machine->cluster).step_time.base())
              << describe(candidate.layout);
          const ClusterView slower{.gpus_per_node = 4, .link_domain = 4, .network_per_gpu = BytesPerSecond{5e9}};
          EXPECT_EQ(evaluator.time(slower).step_time.base(), other.time(slower).step_time.base());
          EXPECT_EQ(evaluator.time(slower).tokens_per_step, other.time(slower).tokens_per_step);
        });
  }
}

TEST(Bounds, StatesAreNeverMoreThanTheWholePeak) {
  for (const Case& c : kCases) {
    for_each_candidate(
        c, [&](const Setting& s, const Candidate& candidate, LayoutEvaluator& evaluator, LayoutEvaluator&) {
          const Bytes bound = states_bound(s.model, s.job, candidate.layout, s.world.profiles.front());
          EXPECT_LE(bound / kGiB, evaluator.peak().allocated / kGiB * (1 + 1e-12)) << describe(candidate.layout);
          EXPECT_GT(bound, Bytes{});
        });
  }
}

TEST(Bounds, StatesAreAllOfTheResidentsOfOneGpu) {
  // With nothing sharded and one stage the bound is exact: weights, gradients and states of the residents.
  Setting s(kCases[0]);
  LayoutEvaluator evaluator(s.model, s.job, s.world.profiles.front(), *s.machine->rates);
  ASSERT_TRUE(evaluator.choose({{}, 1, ActivationRecompute::none, 2}));
  Bytes residents;
  for (const Resident& resident : evaluator.program().residents_of(evaluator.program().stages.front())) {
    const bool state = resident.category == Category::weights || resident.category == Category::gradients ||
                       resident.category == Category::optimizer_states || resident.category == Category::master_weights;
    residents += state && (resident.phases & phase_bit(PhaseKind::optimizer)) != 0 ? resident.bytes : Bytes{};
  }
  const Bytes bound = states_bound(s.model, s.job, {}, s.world.profiles.front());
  EXPECT_NEAR(bound / kGiB, residents / kGiB, 1e-6);
}

TEST(Bounds, NoStepIsFasterThanItsFloor) {
  for (const Case& c : kCases) {
    double nearest = 0;
    for_each_candidate(
        c, [&](const Setting& s, const Candidate& candidate, LayoutEvaluator& evaluator, LayoutEvaluator& other) {
          const Seconds time = evaluator.time(s.machine->cluster).per_token();
          const auto floor = other.floor_per_token(candidate);
          ASSERT_TRUE(floor);
          EXPECT_LE(floor->base(), time.base() * (1 + 1e-9)) << c.framework << " " << describe(candidate.layout);
          nearest = std::max(nearest, *floor / time);
        });
    EXPECT_GT(nearest, 0.5) << c.framework << ": a floor that is far below every step prunes nothing";
  }
}

TEST(Bounds, FloorsDoNotDependOnTheOrderOfQuestions) {
  Setting s(kCases[2]);
  const Profile& profile = s.world.profiles.front();
  LayoutEvaluator forward(s.model, s.job, profile, *s.machine->rates);
  LayoutEvaluator backward(s.model, s.job, profile, *s.machine->rates);
  const SearchSpace space{.global_batch_size = 64};
  std::vector<Candidate> candidates;
  for (const ParallelLayout& layout :
       layouts_of(profile, limits_of(s.world.arch, 4096, 16), {16, 8, 8}, space, false)) {
    candidates.push_back({layout, 1, ActivationRecompute::none, 64});
  }
  std::vector<double> first, second;
  for (const Candidate& candidate : candidates) {
    first.push_back(forward.floor_per_token(candidate)->base());
  }
  std::reverse(candidates.begin(), candidates.end());
  for (const Candidate& candidate : candidates) {
    second.push_back(backward.floor_per_token(candidate)->base());
  }
  std::reverse(second.begin(), second.end());
  EXPECT_EQ(first, second);
}

TEST(Bounds, RecomputeNeverMakesAStepFaster) {
  for (const Case& c : kCases) {
    for_each_candidate(
        c, [&](const Setting& s, const Candidate& candidate, LayoutEvaluator& evaluator, LayoutEvaluator& other) {
          Candidate plain = candidate;
          plain.recompute = ActivationRecompute::none;
          if (other.choose(plain)) {
            EXPECT_GE(evaluator.time(s.machine->cluster).step_time.base(),
                      other.time(s.machine->cluster).step_time.base() * (1 - 1e-12))
                << describe(candidate.layout);
          }
        });
  }
}

TEST(Bounds, MemoryGrowsWithTheMicroBatch) {
  // Except into the one that makes the step a single pass.
  for (const Case& c : kCases) {
    for_each_candidate(
        c, [&](const Setting&, const Candidate& candidate, LayoutEvaluator& evaluator, LayoutEvaluator& other) {
          Candidate half = candidate;
          half.micro_batch_size /= 2;
          const std::int64_t pass = candidate.micro_batch_size * candidate.layout.data_parallel();
          const bool single_pass = pass >= candidate.global_batch_size;
          if (half.micro_batch_size > 0 && !single_pass && other.choose(half)) {
            EXPECT_GE(evaluator.peak().device.base(), other.peak().device.base() * (1 - 1e-12))
                << describe(candidate.layout) << " " << candidate.micro_batch_size;
          }
        });
  }
}

}  // namespace
}  // namespace mekiki
