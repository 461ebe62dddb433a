#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/check.h"
#include "plan_world.h"
#include "search/engine.h"
#include "search/explore.h"
#include "search/place.h"
#include "search/rank.h"
#include "search/tokens_curve.h"

namespace mekiki {
namespace {

const PlanWorld& world() {
  static const PlanWorld w({"hf-trainer", "torchtitan", "megatron-core"});
  return w;
}

PlanFilters some_systems() {
  return {.systems = {"azure-nd96isr-h100-v5", "aws-p4d-24xlarge", "aws-g6e-12xlarge", "runpod-pod-any"},
          .max_gpus = 32};
}

PlanRequest small_request() {
  PlanRequest request = world().request();
  request.filters = some_systems();
  return request;
}

PlanSet planned(const PlanRequest& request) {
  return PlanWorld::checked(plan(request));
}

/// Everything that a reader of the set can see, as text.
std::string text_of(const PlanSet& set) {
  std::string text;
  const auto add = [&](double value) { text += std::to_string(value) + ";"; };
  for (const auto* list : {&set.plans, &set.unpriced_plans}) {
    for (const Plan& plan : *list) {
      text += std::string(plan.machine->system.id) + ";" + plan.framework + ";" + describe(plan.candidate.layout) + ";";
      for (const double value : {plan.memory.device.mid.base(),
                                 plan.run.p50.base(),
                                 plan.run.p90.base(),
                                 plan.cost ? plan.cost->total.base() : -1.0,
                                 static_cast<double>(plan.candidate.micro_batch_size),
                                 static_cast<double>(plan.nodes)}) {
        add(value);
      }
      for (const std::string& id : plan.runnable_by) {
        text += id + ",";
      }
      text += "\n";
    }
  }
  for (const std::int64_t rank : set.pareto) {
    add(static_cast<double>(rank));
  }
  for (const RejectedClass& c : set.rejected) {
    text += std::string(enum_name(c.kind)) + std::to_string(c.count);
  }
  for (const std::int64_t count : {set.stats.considered, set.stats.evaluated, set.stats.pruned}) {
    add(static_cast<double>(count));
  }
  return text;
}

double best_seconds(const PlanSet& set) {
  return set.fastest ? set.plans[static_cast<std::size_t>(*set.fastest - 1)].run.p50.base() : HUGE_VAL;
}
double best_cost(const PlanSet& set) {
  return set.cheapest ? set.plans[static_cast<std::size_t>(*set.cheapest - 1)].cost->total.base() : HUGE_VAL;
}

TEST(PlanLaws, EveryPlanKeepsTheInvariants) {
  const PlanSet set = planned(small_request());
  ASSERT_GT(set.plans.size(), 3U);
  std::int64_t rank = 0;
  for (const Plan& plan : set.plans) {
    EXPECT_EQ(plan.rank, ++rank);
    EXPECT_EQ(plan.candidate.layout.world_size(), plan.gpus());
    EXPECT_LE(plan.run.p50, plan.run.p90);
    EXPECT_GE(plan.run.p50.base(), plan.run.work.base() * 0.5);
    ASSERT_TRUE(plan.cost);
    Usd sum;
    for (const CostTerm& term : plan.cost->terms) {
      sum += term.amount.value_or(Usd{});
    }
    EXPECT_DOUBLE_EQ(sum.base(), plan.cost->total.base());
    EXPECT_LE(plan.cost->total, plan.cost->total_p90);
    EXPECT_NE(plan.verdict, Verdict::does_not_fit);
    EXPECT_GE(plan.share_waiting, 0);
    EXPECT_LE(plan.share_waiting, 1);
    EXPECT_EQ(plan.runnable_by.front(), plan.framework);
    EXPECT_LE(plan.gpus(), 32);
    // The batch is shared out evenly and the memory is that of the search.
    const std::int64_t pass = plan.candidate.micro_batch_size * plan.candidate.layout.data_parallel();
    EXPECT_EQ(plan.candidate.global_batch_size % pass, 0);
  }
}

TEST(PlanLaws, TightIsNeverCalledBestWhileOneFits) {
  const PlanSet set = planned(small_request());
  bool tight_seen = false;
  for (const Plan& plan : set.plans) {
    tight_seen = tight_seen || plan.verdict == Verdict::tight;
    EXPECT_EQ(tight_seen, plan.verdict == Verdict::tight) << "tight plans come last";
  }
  for (const std::optional<std::int64_t>& rank : {set.cheapest, set.fastest}) {
    ASSERT_TRUE(rank);
    EXPECT_EQ(set.plans[static_cast<std::size_t>(*rank - 1)].verdict, Verdict::fits);
  }
}

TEST(PlanLaws, CheapestAndFastestAreSo) {
  const PlanSet set = planned(small_request());
  for (const Plan& plan : set.plans) {
    if (plan.verdict == Verdict::fits) {
      EXPECT_GE(plan.cost->total.base(), best_cost(set));
      EXPECT_GE(plan.run.p50.base(), best_seconds(set));
    }
  }
}

TEST(PlanLaws, ParetoIsWhatNobodyBeats) {
  const PlanSet set = planned(small_request());
  const std::set<std::int64_t> front(set.pareto.begin(), set.pareto.end());
  ASSERT_FALSE(front.empty());
  const auto beats = [](const Plan& a, const Plan& b) {
    return a.run.p50 <= b.run.p50 && a.cost->total <= b.cost->total &&
           (a.run.p50 < b.run.p50 || a.cost->total < b.cost->total);
  };
  for (const Plan& plan : set.plans) {
    if (plan.verdict != Verdict::fits) {
      EXPECT_FALSE(front.contains(plan.rank));
      continue;
    }
    bool beaten = false;
    for (const Plan& other : set.plans) {
      beaten = beaten || (other.verdict == Verdict::fits && beats(other, plan));
    }
    if (front.contains(plan.rank)) {
      EXPECT_FALSE(beaten) << plan.rank;
    }
  }
}

TEST(PlanLaws, ThreadsChangeNothing) {
  PlanRequest request = small_request();
  const std::string one = text_of(planned(request));
  for (const unsigned threads : {2U, 3U, 7U}) {
    request.threads = threads;
    EXPECT_EQ(text_of(planned(request)), one) << threads;
  }
}

TEST(PlanLaws, AStoppedSearchKeepsTheBestSoFar) {
  PlanRequest request = small_request();
  const PlanSet all = planned(request);
  EXPECT_FALSE(all.interrupted());
  for (const int asked : {0, 1, 5, 12}) {
    std::atomic<int> left = asked;
    request.stop = [&] { return left.fetch_sub(1) <= 0; };
    const PlanSet some = planned(request);
    EXPECT_TRUE(some.interrupted());
    EXPECT_LE(some.plans.size(), all.plans.size());
    EXPECT_EQ(some.plans.empty() && some.unpriced_plans.empty(), asked == 0) << asked;
    EXPECT_GE(best_cost(some), best_cost(all));
    for (const RejectedClass& rejected : some.rejected) {
      EXPECT_TRUE(asked > 0 || rejected.kind != RejectionKind::does_not_fit) << "nobody looked";
    }
  }
}

TEST(PlanLaws, MoreBudgetIsNeverSlower) {
  PlanRequest request = small_request();
  double before = HUGE_VAL;
  for (const double budget : {50.0, 500.0, 1000.0, 5000.0, 1e6}) {
    request.filters.budget = Usd{budget};
    const double now = best_seconds(planned(request));
    EXPECT_LE(now, before) << budget;
    before = now;
  }
  EXPECT_LT(before, HUGE_VAL);
}

TEST(PlanLaws, MoreTimeIsNeverDearer) {
  PlanRequest request = small_request();
  double before = HUGE_VAL;
  for (const double hours : {1.0, 10.0, 24.0, 100.0, 1000.0}) {
    request.filters.deadline = hours * kHour;
    const double now = best_cost(planned(request));
    EXPECT_LE(now, before) << hours;
    before = now;
  }
  EXPECT_LT(before, HUGE_VAL);
}

TEST(PlanLaws, RemovingASystemIsNeverBetter) {
  PlanRequest request = small_request();
  const PlanSet all = planned(request);
  for (std::size_t i = 0; i < some_systems().systems.size(); ++i) {
    request.filters = some_systems();
    request.filters.systems.erase(request.filters.systems.begin() + static_cast<std::ptrdiff_t>(i));
    const PlanSet fewer = planned(request);
    EXPECT_GE(best_seconds(fewer), best_seconds(all));
    EXPECT_GE(best_cost(fewer), best_cost(all));
  }
}

TEST(PlanLaws, AddingAnOfferIsNeverWorse) {
  PlanRequest request = small_request();
  std::vector<PriceChoice> prices;
  double cost = HUGE_VAL, seconds = HUGE_VAL;
  for (const PriceChoice& price : world().market.prices) {
    prices.push_back(price);
    if (prices.size() % 20 != 0) {
      continue;
    }
    request.market.prices = prices;
    const PlanSet set = planned(request);
    EXPECT_LE(best_cost(set), cost);
    EXPECT_LE(best_seconds(set), seconds);
    cost = best_cost(set);
    seconds = best_seconds(set);
  }
  EXPECT_LT(cost, HUGE_VAL);
}

TEST(PlanLaws, HalfTheFailuresNeverCostMore) {
  PlanRequest request = small_request();
  const double before = best_cost(planned(request));
  PlanRules rules = world().rules;
  for (Estimate<PerSecond>* rate : {&rules.forecast.node_failures, &rules.forecast.job_failures}) {
    *rate = *rate * 0.5;
  }
  request.rules = &rules;
  EXPECT_LE(best_cost(planned(request)), before);
}

TEST(PlanLaws, MoreTokensTakeLongerAndCostMore) {
  const PlanRequest request = small_request();
  const PlanSet set = planned(request);
  const std::vector<double> tokens{1e8, 1e9, 1e10, 1e11};
  for (const Plan& plan : set.plans) {
    const std::vector<TokensPoint> points = against_tokens(request, plan, tokens);
    ASSERT_EQ(points.size(), tokens.size());
    EXPECT_EQ(points[2].p50, plan.run.p50) << "the plan's own tokens give its own hours";
    EXPECT_EQ(points[2].cost_p50, plan.cost->per_checkpoint());
    for (std::size_t i = 1; i < points.size(); ++i) {
      EXPECT_GT(points[i].p50, points[i - 1].p50);
      EXPECT_GT(points[i].p90, points[i - 1].p90);
      EXPECT_GT(*points[i].cost_p50, *points[i - 1].cost_p50);
    }
  }
}

TEST(PlanLaws, SpotIsNeverAsFastAsTheSameMachineOnDemand) {
  PlanRequest request = small_request();
  request.filters.price_kinds = {PriceKind::on_demand, PriceKind::spot};
  const PlanSet set = planned(request);
  int compared = 0;
  for (const Plan& spot : set.plans) {
    for (const Plan& other : set.plans) {
      const bool same = spot.machine == other.machine && spot.nodes == other.nodes;
      if (same && spot.price->offer.price.kind == PriceKind::spot &&
          other.price->offer.price.kind == PriceKind::on_demand) {
        EXPECT_GT(spot.run.interruptions, other.run.interruptions);
        EXPECT_GT(spot.run.p50, other.run.p50);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 0);
}

TEST(PlanLaws, SmallestIsProven) {
  // Full training of 1.2 billion weights at 16 bytes and more: some 24 GB cards cannot, some larger ones can.
  PlanRequest request = small_request();
  const PlanSet set = planned(request);
  ASSERT_TRUE(set.smallest);
  const Plan& smallest = set.plans[static_cast<std::size_t>(set.smallest->rank - 1)];
  for (const Plan& plan : set.plans) {
    if (plan.verdict == Verdict::fits) {
      EXPECT_GE(plan.total_memory(), smallest.total_memory());
    }
  }
  ASSERT_TRUE(set.smallest->next_smaller);
  const Rejection& next = *set.smallest->next_smaller;
  EXPECT_LT(next.machine->gpu->memory_reported * static_cast<double>(next.nodes * next.machine->system.gpus),
            smallest.total_memory());
  if (next.kind == RejectionKind::does_not_fit) {
    ASSERT_TRUE(set.smallest->miss);
    EXPECT_GT(set.smallest->miss->short_by, Bytes{});
  }
}

TEST(PlanLaws, OnlyGpusWithTheFormatAreAsked) {
  // Peaks of data/gpus: none of bf16 before Ampere, none of fp8 before Ada and Hopper.
  struct Case {
    Precision precision;
    std::string_view lacks, has;
  };
  const Case cases[] = {{Precision::bf16_mixed, "v100-sxm2-32", "a100-sxm4-40"},
                        {Precision::fp8, "a100-sxm4-40", "h100-sxm5-80"},
                        {Precision::nvfp4, "h100-sxm5-80", "b200-sxm-180"}};
  for (const Case& c : cases) {
    for (const Gpu& gpu : world().catalog.gpus) {
      if (gpu.id == c.lacks || gpu.id == c.has) {
        EXPECT_EQ(has_format(gpu, c.precision), gpu.id == c.has) << gpu.id;
      }
    }
  }
  PlanRequest request = small_request();
  request.job.precision = Precision::fp8;
  const PlanSet set = planned(request);
  for (const Plan& plan : set.plans) {
    EXPECT_TRUE(plan.machine->gpu->peaks.fp8) << plan.machine->gpu->id;
  }
  EXPECT_TRUE(std::any_of(set.rejected.begin(), set.rejected.end(), [](const RejectedClass& r) {
    return r.kind == RejectionKind::no_format;
  }));
}

TEST(PlanLaws, MissingTokensAndEmptyFiltersAreErrors) {
  PlanRequest request = small_request();
  request.job.tokens.reset();
  EXPECT_EQ(plan(request).error().subject, "tokens");
  request = small_request();
  request.filters.systems = {"no-such-system"};
  EXPECT_EQ(plan(request).error().code, ErrorCode::not_found);
}

/// Every candidate of the space, one after the other.
Exploration exhaustive(const Engine& engine,
                       const LayoutLimits& limits,
                       const SearchSpace& space,
                       const ExploreTarget& target) {
  Exploration result;
  LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *target.machine->rates);
  const ClusterSize cluster{limits.gpus, target.machine->system.gpus, target.machine->cluster.link_domain};
  for (const ParallelLayout& layout : layouts_of(*engine.profile, limits, cluster, space, false)) {
    for (const std::int64_t micro_batch : micro_batches_of(space, layout)) {
      const auto batch = global_batch_on(space, layout, micro_batch);
      for (const ActivationRecompute recompute : recomputes_of(space, *engine.profile)) {
        if (!batch || !evaluator.choose({layout, micro_batch, recompute, *batch})) {
          continue;
        }
        const Bytes device = evaluator.peak().device_on(target.capacity);
        const Verdict verdict = verdict_of({device, device, device}, target.capacity, engine.job.headroom);
        auto& best = verdict == Verdict::fits ? result.fits : result.tight;
        const CandidateTime time = evaluator.time(target.machine->cluster);
        if (verdict != Verdict::does_not_fit && (!best || time.per_token() < best->time.per_token())) {
          best = Exploration::Choice{{layout, micro_batch, recompute, *batch}, device, time};
        }
      }
    }
  }
  return result;
}

TEST(Explore, FindsWhatAnExhaustiveWalkFinds) {
  PlanRequest request = small_request();
  const Engines engines = PlanWorld::checked(engines_of(request));
  int compared = 0;
  for (const Machine& machine : world().market.machines) {
    if (!machine.rates || machine.system.provider == "nvidia") {
      continue;
    }
    for (const Engine& engine : engines.able) {
      for (const std::int64_t nodes : {1, 2}) {
        const LayoutLimits limits = limits_of(world().arch, 4096, nodes * machine.system.gpus);
        const SearchSpace space{.global_batch_size = 128, .batch_may_grow = true};
        const ExploreTarget target{&machine, nodes, machine.gpu->memory_reported};
        LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *machine.rates);
        const Exploration found = explore(engine, limits, space, target, evaluator);
        const Exploration all = exhaustive(engine, limits, space, target);
        ASSERT_EQ(found.fits.has_value(), all.fits.has_value()) << machine.system.id;
        if (found.fits) {
          EXPECT_DOUBLE_EQ(found.fits->time.per_token().base(), all.fits->time.per_token().base())
              << machine.system.id << " " << engine.profile->id << " " << describe(found.fits->candidate.layout)
              << " against " << describe(all.fits->candidate.layout);
          ++compared;
        } else {
          EXPECT_EQ(found.tight.has_value(), all.tight.has_value()) << machine.system.id;
        }
      }
    }
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace mekiki
