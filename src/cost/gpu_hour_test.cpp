#include "cost/gpu_hour.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

PriceChoice choice_of(Name id, Name gpu_id, std::int64_t gpus, double usd_per_node_hour) {
  PriceChoice choice;
  choice.offer.system.gpu_id = gpu_id;
  choice.offer.system.gpus = gpus;
  choice.offer.price.id = id;
  choice.offer.price.per_unit = usd_per_node_hour * kUsdPerHour;
  choice.offer.quality = JoinQuality::exact;
  return choice;
}

TEST(GpuHour, IsOfOneGpuAndTheCheapest) {
  const PriceChoice choices[] = {
      choice_of("node", "board", 8, 16), choice_of("single", "board", 1, 3), choice_of("card", "card", 1, 1)};
  const std::vector<GpuHour> hours = cheapest_gpu_hours(choices);
  ASSERT_EQ(hours.size(), 2u);
  EXPECT_EQ(gpu_hour_of(hours, "board")->price_id, "node");
  EXPECT_DOUBLE_EQ(gpu_hour_of(hours, "board")->per_gpu / kUsdPerHour, 2.0);
  EXPECT_EQ(gpu_hour_of(hours, "other"), nullptr);
}

TEST(GpuHour, ExactAndCurrentComeBeforeCheap) {
  PriceChoice choices[] = {choice_of("exact", "board", 1, 3),
                           choice_of("similar", "board", 1, 1),
                           choice_of("outdated", "board", 1, 2),
                           choice_of("spot", "board", 1, 0.5)};
  choices[1].offer.quality = JoinQuality::similar;
  choices[2].staleness = Staleness::outdated;
  choices[3].offer.price.kind = PriceKind::spot;
  EXPECT_EQ(cheapest_gpu_hours(choices).front().price_id, "exact");
  EXPECT_EQ(cheapest_gpu_hours(std::span(choices).subspan(1, 2)).front().price_id, "outdated");
  EXPECT_EQ(cheapest_gpu_hours(std::span(choices).subspan(1, 1)).front().price_id, "similar");
  EXPECT_TRUE(cheapest_gpu_hours(std::span(choices).subspan(3)).empty()) << "spot moves daily";
}

TEST(GpuHour, CostFollowsFromStepsAndGpus) {
  const GpuHour hour{.gpu_id = "board", .per_gpu = 2.0 * kUsdPerHour};
  // 1e9 tokens in steps of 1e6 tokens and 3.6 s: one hour of 8 GPUs.
  EXPECT_DOUBLE_EQ(cost_of_gpu_hours(hour, 8, Seconds{3.6}, 1e6, 1e9) / kUsd, 16.0);
}

}  // namespace
}  // namespace mekiki
