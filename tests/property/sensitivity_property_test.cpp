#include <gtest/gtest.h>

#include "plan_world.h"
#include "search/sensitivity.h"

namespace mekiki {
namespace {

const PlanWorld& world() {
  static const PlanWorld w({"hf-trainer", "torchtitan"});
  return w;
}

PlanRequest small_request() {
  PlanRequest request = world().request();
  request.filters = {.systems = {"azure-nd96isr-h100-v5", "aws-p4d-24xlarge", "runpod-pod-any"}, .max_gpus = 16};
  return request;
}

const Sensitivity* find(const std::vector<Sensitivity>& rows, SensitiveInput input) {
  for (const Sensitivity& row : rows) {
    if (row.input == input) {
      return &row;
    }
  }
  return nullptr;
}

TEST(Sensitivity, WidestFirstAndAroundThePlansOwnCost) {
  const PlanRequest request = small_request();
  const PlanSet set = PlanWorld::checked(plan(request));
  const std::vector<Sensitivity> rows = sensitivity_of(request, set);
  ASSERT_GT(rows.size(), 4U);
  const Usd own = set.plans[static_cast<std::size_t>(*set.cheapest - 1)].cost->per_checkpoint();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) {
      EXPECT_LE(rows[i].width(), rows[i - 1].width());
    }
    const double low = std::min(rows[i].at_low.base(), rows[i].at_high.base());
    const double high = std::max(rows[i].at_low.base(), rows[i].at_high.base());
    // Up to a cent where quantiles of draws step.
    EXPECT_LE(low, own.base() * 1.001) << enum_name(rows[i].input);
    EXPECT_GE(high, own.base() * 0.999) << enum_name(rows[i].input);
  }
  EXPECT_LT(find(rows, SensitiveInput::step_time)->at_low, find(rows, SensitiveInput::step_time)->at_high);
  EXPECT_LT(find(rows, SensitiveInput::setup_time)->at_low, find(rows, SensitiveInput::setup_time)->at_high);
  EXPECT_EQ(find(rows, SensitiveInput::spot_losses), nullptr) << "nothing here may be taken away";
}

/// A plan that is dearer by a hair than another is open; one with no rival never is.
TEST(Sensitivity, TheChoiceIsOpenOnlyWithARivalInReach) {
  PlanRequest request = small_request();
  const PlanSet set = PlanWorld::checked(plan(request));
  std::optional<Sensitivity> open = open_choice(sensitivity_of(request, set));
  if (open) {
    const std::int64_t rank = open->cheapest_at_low.value_or(open->cheapest_at_high.value_or(0));
    EXPECT_NE(rank, *set.cheapest);
    EXPECT_GE(rank, 1);
  }
  PlanSet alone = set;
  alone.plans = {set.plans[static_cast<std::size_t>(*set.cheapest - 1)]};
  alone.plans.front().rank = 1;
  alone.cheapest = 1;
  EXPECT_FALSE(open_choice(sensitivity_of(request, alone)));
  PlanSet pair = alone;
  pair.plans.push_back(pair.plans.front());
  pair.plans.back().rank = 2;
  pair.plans.back().cost->total = pair.plans.front().cost->total * 1.001;
  open = open_choice(sensitivity_of(request, pair));
  ASSERT_TRUE(open);
  EXPECT_EQ(open->cheapest_at_high.value_or(0), 2);
}

TEST(Sensitivity, WithoutAPlanThereIsNone) {
  EXPECT_TRUE(sensitivity_of(small_request(), {}).empty());
  EXPECT_FALSE(open_choice({}));
}

}  // namespace
}  // namespace mekiki
