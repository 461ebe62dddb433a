#include "search/candidate.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

Profile everything(DataParallelStyle style) {
  Profile profile;
  profile.memory.sharding.style = style;
  profile.supports = {true, true, true, true, true, true};
  return profile;
}

constexpr LayoutLimits kDense{.gpus = 16, .layers = 32, .heads = 32, .kv_heads = 8, .sequence_length = 8192};
constexpr ClusterSize kTwoNodes{16, 8, 8};

TEST(Layouts, AllKeepTheRulesAndNoneComesTwice) {
  for (const DataParallelStyle style : {DataParallelStyle::ddp,
                                        DataParallelStyle::fsdp2,
                                        DataParallelStyle::zero,
                                        DataParallelStyle::distributed_optimizer}) {
    const auto layouts = layouts_of(everything(style), kDense, kTwoNodes, {}, false);
    ASSERT_FALSE(layouts.empty());
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      EXPECT_TRUE(check_layout(layouts[i], kDense)) << describe(layouts[i]);
      EXPECT_LE(layouts[i].tensor_parallel, 8) << "inside a link domain";
      EXPECT_EQ(std::count(layouts.begin(), layouts.end(), layouts[i]), 1) << describe(layouts[i]);
    }
  }
}

TEST(Layouts, HoldEveryTensorAndPipelineSize) {
  const auto layouts = layouts_of(everything(DataParallelStyle::ddp), kDense, kTwoNodes, {}, false);
  std::set<std::pair<std::int64_t, std::int64_t>> found;
  for (const ParallelLayout& layout : layouts) {
    found.insert({layout.tensor_parallel, layout.pipeline_parallel});
  }
  for (const std::int64_t tensor : {1, 2, 4, 8}) {
    for (std::int64_t pipeline = 1; tensor * pipeline <= 16; pipeline *= 2) {
      EXPECT_TRUE(found.contains({tensor, pipeline})) << tensor << " " << pipeline;
    }
  }
}

TEST(Layouts, StayInsideWhatTheFrameworkSupports) {
  Profile plain;
  plain.memory.sharding.style = DataParallelStyle::ddp;
  const auto layouts = layouts_of(plain, kDense, kTwoNodes, {}, false);
  ASSERT_EQ(layouts.size(), 1U);
  EXPECT_EQ(layouts.front(), (ParallelLayout{.dp_replicate = 16}));
  plain.supports.adapters = false;
  EXPECT_TRUE(layouts_of(plain, kDense, kTwoNodes, {}, true).empty());
}

TEST(Layouts, ShardInsideTheLinkDomainToo) {
  Profile sharded = everything(DataParallelStyle::fsdp2);
  sharded.supports = {.sharding = true};
  const auto layouts = layouts_of(sharded, kDense, kTwoNodes, {}, false);
  const ParallelLayout hybrid{.dp_replicate = 2, .dp_shard = 8, .zero_stage = 3};
  EXPECT_NE(std::find(layouts.begin(), layouts.end(), hybrid), layouts.end());
}

TEST(Layouts, FixedAxesStay) {
  SearchSpace space;
  space.layout.tensor_parallel = 4;
  space.layout.zero_stage = 1;
  const auto layouts = layouts_of(everything(DataParallelStyle::zero), kDense, kTwoNodes, space, false);
  ASSERT_FALSE(layouts.empty());
  for (const ParallelLayout& layout : layouts) {
    EXPECT_EQ(layout.tensor_parallel, 4);
    EXPECT_EQ(layout.zero_stage, 1);
  }
}

TEST(Layouts, ExpertsNeedExperts) {
  LayoutLimits moe = kDense;
  moe.experts = 8;
  const auto has_experts = [](const std::vector<ParallelLayout>& layouts) {
    return std::any_of(layouts.begin(), layouts.end(), [](const ParallelLayout& l) { return l.expert_parallel > 1; });
  };
  EXPECT_TRUE(has_experts(layouts_of(everything(DataParallelStyle::ddp), moe, kTwoNodes, {}, false)));
  EXPECT_FALSE(has_experts(layouts_of(everything(DataParallelStyle::ddp), kDense, kTwoNodes, {}, false)));
}

TEST(GlobalBatch, IsSharedOutEvenlyOrNotAtAll) {
  const ParallelLayout twelve{.dp_replicate = 12};
  struct Case {
    std::string_view name;
    SearchSpace space;
    std::int64_t micro_batch;
    std::optional<std::int64_t> expected;
  };
  SearchSpace given, usual, steps;
  given.global_batch_size = 128;
  usual.global_batch_size = 128;
  usual.batch_may_grow = true;
  steps.gradient_accumulation_steps = 3;
  const Case cases[] = {{"128 is no multiple of 12", given, 1, std::nullopt},
                        {"132 is the next and within a quarter", usual, 1, 132},
                        {"144 too", usual, 4, 144},
                        {"192 is not", usual, 16, std::nullopt},
                        {"12 ranks x 3 steps x 2", steps, 2, 72}};
  for (const Case& c : cases) {
    EXPECT_EQ(global_batch_on(c.space, twelve, c.micro_batch), c.expected) << c.name;
  }
}

TEST(MicroBatches, ArePowersOfTwoUpToTheShare) {
  SearchSpace space{.global_batch_size = 64};
  EXPECT_EQ(micro_batches_of(space, {.dp_replicate = 8}), (std::vector<std::int64_t>{1, 2, 4, 8}));
  EXPECT_EQ(micro_batches_of(space, {.dp_replicate = 64}), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(micro_batches_of(space, {.dp_replicate = 128}), (std::vector<std::int64_t>{1}));
  space.micro_batch_size = 3;
  EXPECT_EQ(micro_batches_of(space, {.dp_replicate = 8}), (std::vector<std::int64_t>{3}));
}

TEST(Recomputes, SelectiveOnlyWhereTheFrameworkHasAPolicy) {
  Profile profile;
  EXPECT_EQ(recomputes_of({}, profile), (std::vector{ActivationRecompute::none, ActivationRecompute::full}));
  profile.memory.selective_policy = "attention_core";
  EXPECT_EQ(recomputes_of({}, profile).size(), 3U);
  EXPECT_EQ(recomputes_of({.recompute = ActivationRecompute::full}, profile), (std::vector{ActivationRecompute::full}));
}

}  // namespace
}  // namespace mekiki
