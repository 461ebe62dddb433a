#include "advice/advice.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

const AdviceRules kRules{.long_job = 3.0 * kDay, .filled_share = 0.5, .software = {{9.0, "11.8", "2.0"}}};

/// A plan of one 80 GB card that fits well and says nothing.
struct Scene {
  Gpu gpu{.id = "card",
          .gpu_class = GpuClass::data_center,
          .memory_reported = 80.0 * kGiB,
          .mig_max_instances = std::nullopt};
  Machine machine{.system = {.id = "box", .provider = "shop", .gpu_id = "card"}, .gpu = &gpu};
  PriceChoice price;
  Plan plan;

  Scene() {
    machine.cluster.link = LinkKind::nvswitch;
    price.offer.price = {.id = "row", .provider = "shop", .per_unit = 2.0 * kUsdPerHour, .as_of = Date{20000}};
    price.offer.quality = JoinQuality::exact;
    plan.rank = 1;
    plan.machine = &machine;
    plan.price = &price;
    plan.capacity = gpu.memory_reported;
    plan.job.headroom = 0.2;
    plan.memory.device = {38.0 * kGiB, 40.0 * kGiB, 42.0 * kGiB};
    plan.run.p50 = 10.0 * kHour;
    plan.cost = CostReport{};
    for (CostTerm& term : plan.cost->terms) {
      term.amount = Usd{1};
    }
  }
};

bool says(const std::vector<Advice>& advice, AdviceId id) {
  return std::any_of(advice.begin(), advice.end(), [&](const Advice& a) { return a.id == id; });
}

TEST(AdvisePlan, AQuietPlanSaysNothing) {
  const Scene scene;
  EXPECT_TRUE(advise_plan(scene.plan, kRules).empty());
}

TEST(AdvisePlan, EachRuleSpeaksOnItsCondition) {
  struct Case {
    AdviceId id;
    void (*change)(Scene&);
  };
  const Case cases[] = {
      {AdviceId::waits_for_communication,
       [](Scene& s) {
         s.plan.waits_for_communication = true;
         s.plan.share_waiting = 0.4;
       }},
      {AdviceId::spot_needs_checkpoints, [](Scene& s) { s.price.offer.price.kind = PriceKind::spot; }},
      {AdviceId::mig_no_gain, [](Scene& s) { s.gpu.mig_max_instances = 7; }},
      {AdviceId::mig_slice_would_do,
       [](Scene& s) {
         s.gpu.mig_max_instances = 7;
         s.plan.memory.device = {7.0 * kGiB, 8.0 * kGiB, 9.0 * kGiB};
       }},
      {AdviceId::consumer_card_long_job,
       [](Scene& s) {
         s.gpu.gpu_class = GpuClass::consumer;
         s.plan.run.p50 = 4.0 * kDay;
       }},
      {AdviceId::stale_price, [](Scene& s) { s.price.staleness = Staleness::stale; }},
      {AdviceId::similar_price, [](Scene& s) { s.price.offer.quality = JoinQuality::similar; }},
      {AdviceId::borrowed_rates,
       [](Scene& s) {
         s.machine.rates = GpuRates{};
         s.machine.rates->kernels.gemm_surface_of = "other";
       }},
      {AdviceId::assumed_network,
       [](Scene& s) {
         s.plan.nodes = 2;
         s.machine.cluster.network_assumed = true;
       }},
      {AdviceId::incomplete_cost,
       [](Scene& s) {
         s.plan.cost->terms[2].amount.reset();
         s.plan.cost->complete = false;
       }},
      {AdviceId::idle_commitment,
       [](Scene& s) { s.plan.commitment = Commitment{.idle = 100.0 * kHour, .idle_cost = Usd{500}}; }},
      {AdviceId::break_even, [](Scene& s) { s.plan.commitment = Commitment{.break_even_utilisation = 0.85}; }},
      {AdviceId::software_minimum, [](Scene& s) { s.gpu.compute_capability = 9.0; }},
      {AdviceId::software_unknown, [](Scene& s) { s.gpu.compute_capability = 99.0; }},
  };
  for (const Case& c : cases) {
    Scene scene;
    c.change(scene);
    const std::vector<Advice> advice = advise_plan(scene.plan, kRules);
    EXPECT_EQ(advice.size(), 1U) << enum_name(c.id);
    EXPECT_TRUE(says(advice, c.id)) << enum_name(c.id);
    EXPECT_FALSE(advice.empty() || advice.front().values.empty()) << enum_name(c.id);
  }
}

TEST(AdvisePlan, AShortJobOnAConsumerCardIsFine) {
  Scene scene;
  scene.gpu.gpu_class = GpuClass::consumer;
  EXPECT_TRUE(advise_plan(scene.plan, kRules).empty());
}

TEST(Advise, NothingFittingIsAProblem) {
  const PlanRules plan_rules;
  PlanRequest request{.rules = &plan_rules};
  request.job.method = Method::qlora;  // the lightest method: nothing further to try
  const std::vector<Advice> advice = advise({}, request, kRules);
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_EQ(advice.front().id, AdviceId::nothing_fits);
  EXPECT_EQ(advice.front().level, AdviceLevel::problem);
}

TEST(Advise, ATightPlanNamesTheNextLargerGpu) {
  Scene small, large;
  Gpu larger = large.gpu;
  larger.id = "larger";
  larger.memory_reported = 141.0 * kGiB;
  large.machine.gpu = &larger;
  small.plan.verdict = Verdict::tight;
  small.plan.cost->total = Usd{10};
  large.plan.cost->total = Usd{30};
  small.plan.rank = 2;
  PlanSet set{.plans = {large.plan, small.plan}, .cheapest = 1};
  const PlanRules plan_rules;
  PlanRequest request{.rules = &plan_rules};
  request.job.method = Method::qlora;
  const std::vector<Advice> advice = advise(set, request, kRules);
  EXPECT_TRUE(says(advice, AdviceId::fits));
  const auto found =
      std::find_if(advice.begin(), advice.end(), [](const Advice& a) { return a.id == AdviceId::next_larger_gpu; });
  ASSERT_NE(found, advice.end());
  EXPECT_EQ(found->rank, 2);
  EXPECT_EQ(std::get<std::string>(found->values.front().value), "larger");
}

TEST(Advise, ADearTightPlanIsNotTalkedAbout) {
  Scene small, large;
  Gpu larger = large.gpu;
  larger.memory_reported = 141.0 * kGiB;
  large.machine.gpu = &larger;
  small.plan.verdict = Verdict::tight;
  small.plan.cost->total = Usd{50};
  large.plan.cost->total = Usd{30};
  small.plan.rank = 2;
  PlanSet set{.plans = {large.plan, small.plan}, .cheapest = 1};
  const PlanRules plan_rules;
  PlanRequest request{.rules = &plan_rules};
  request.job.method = Method::qlora;
  EXPECT_FALSE(says(advise(set, request, kRules), AdviceId::next_larger_gpu));
}

TEST(AdviceRules, BundledOnesRead) {
  std::ifstream file(std::string(MEKIKI_SOURCE_DIR) + "/data/rules/advice.csv");
  std::ostringstream text;
  text << file.rdbuf();
  const auto rules = read_advice_rules(text.str(), "data/rules/advice.csv");
  ASSERT_TRUE(rules) << describe(rules.error());
  EXPECT_GT(rules->long_job, kHour);
}

}  // namespace
}  // namespace mekiki
