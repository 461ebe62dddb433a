// The search against slower ways to the same answers: every layout walked in full, and fit() on the layout of a plan.
#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "plan_world.h"
#include "search/engine.h"
#include "search/explore.h"
#include "search/fit.h"
#include "time/step_time.h"

namespace mekiki {
namespace {

const std::vector<std::string> kFrameworks{"hf-trainer", "torchtitan", "megatron-core", "deepspeed", "torchtune"};

const PlanWorld& world() {
  static const PlanWorld w(kFrameworks);
  return w;
}

/// A small dense model: two to six layers, so that its walk is short.
Arch random_arch(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const int heads = 8 << pick(0, 2);
  const std::string config = R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": )" +
                             std::to_string(heads * 128) + R"(, "intermediate_size": )" +
                             std::to_string(heads * 128 * pick(2, 4)) + R"(, "num_hidden_layers": )" +
                             std::to_string(2 * pick(1, 3)) + R"(, "num_attention_heads": )" + std::to_string(heads) +
                             R"(, "num_key_value_heads": )" + std::to_string(8) + R"(, "vocab_size": )" +
                             std::to_string(1000 * pick(8, 128)) +
                             R"(, "max_position_embeddings": 16384, "rms_norm_eps": 1e-5, "hidden_act": "silu"})";
  return PlanWorld::checked(read_config(config, "config.json")).arch;
}

struct SmallProblem {
  Arch arch;
  Job job;
  std::size_t framework = 0;
  const Machine* machine = nullptr;
  std::int64_t nodes = 1;
  SearchSpace space;
  Bytes capacity;
};

SmallProblem random_problem(std::mt19937& random) {
  const auto pick = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
  SmallProblem problem{.arch = random_arch(random)};
  problem.job.sequence_length = std::int64_t{512} << pick(5);
  problem.framework = pick(kFrameworks.size());
  std::vector<const Machine*> machines;
  for (const Machine& machine : world().market.machines) {
    const bool usable = machine.rates && machine.gpu->peaks.bf16 && machine.system.gpus <= 8;
    if (usable) {
      machines.push_back(&machine);
    }
  }
  problem.machine = machines[pick(machines.size())];
  problem.nodes = joins_nodes(problem.machine->system) ? std::int64_t{1} << pick(2) : 1;
  problem.space = {.global_batch_size = std::int64_t{8} << pick(4), .batch_may_grow = true};
  // Memory small enough that some layouts hold and some do not.
  problem.capacity = problem.machine->gpu->memory_reported * (0.03 + 0.03 * static_cast<double>(pick(10)));
  return problem;
}

/// A candidate as the full walk and the full step time see it.
struct Walked {
  Verdict verdict = Verdict::does_not_fit;
  Seconds per_token;
};

Walked walk(const Engine& engine, const SmallProblem& problem, const Candidate& candidate) {
  LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *problem.machine->rates);
  if (!evaluator.choose(candidate, Detail::full)) {
    return {};
  }
  const Bytes device = evaluator.peak().device_on(problem.capacity);
  const TimeReport time = step_time(evaluator.program(),
                                    evaluator.job(),
                                    *engine.profile,
                                    *problem.machine->rates,
                                    problem.machine->cluster,
                                    InputQuality::stated);
  return {verdict_of({device, device, device}, problem.capacity, engine.job.headroom),
          time.step_time.mid / time.tokens_per_step};
}

/// The best of all candidates, none of them skipped; per_token unset: none holds with headroom.
std::optional<Seconds> exhaustive(const Engine& engine, const LayoutLimits& limits, const SmallProblem& problem) {
  const ClusterSize cluster{limits.gpus, problem.machine->system.gpus, problem.machine->cluster.link_domain};
  std::optional<Seconds> best;
  for (const ParallelLayout& layout : layouts_of(*engine.profile, limits, cluster, problem.space, false)) {
    for (const std::int64_t micro_batch : micro_batches_of(problem.space, layout)) {
      const auto batch = global_batch_on(problem.space, layout, micro_batch);
      for (const ActivationRecompute recompute : recomputes_of(problem.space, *engine.profile)) {
        if (!batch) {
          continue;
        }
        const Walked walked = walk(engine, problem, {layout, micro_batch, recompute, *batch});
        if (walked.verdict == Verdict::fits && (!best || walked.per_token < *best)) {
          best = walked.per_token;
        }
      }
    }
  }
  return best;
}

TEST(Search, BranchAndBoundEqualsTheWalkOfEverythingOn200Problems) {
  std::mt19937 random(20261120);
  int with_answer = 0, without = 0;
  for (int i = 0; i < 200; ++i) {
    const SmallProblem problem = random_problem(random);
    PlanRequest request = world().request();
    request.arch = &problem.arch;
    request.job = problem.job;
    request.profiles = std::span(world().profiles).subspan(problem.framework, 1);
    const Engines engines = PlanWorld::checked(engines_of(request));
    const Engine& engine = engines.able.front();
    const std::int64_t gpus = problem.nodes * problem.machine->system.gpus;
    const LayoutLimits limits = limits_of(problem.arch, *problem.job.sequence_length, gpus);
    LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *problem.machine->rates);
    const Exploration found =
        explore(engine, limits, problem.space, {problem.machine, problem.nodes, problem.capacity}, evaluator);
    const std::optional<Seconds> best = exhaustive(engine, limits, problem);
    const std::string what =
        std::to_string(i) + " " + std::string(problem.machine->system.id) + " " + engine.profile->id;
    ASSERT_EQ(found.fits.has_value(), best.has_value()) << what;
    if (best) {
      const Walked walked = walk(engine, problem, found.fits->candidate);
      EXPECT_EQ(walked.verdict, Verdict::fits) << what;
      EXPECT_NEAR(walked.per_token / *best, 1.0, 1e-9) << what << " " << describe(found.fits->candidate.layout);
    }
    ++(best ? with_answer : without);
  }
  EXPECT_GT(with_answer, 100);
  EXPECT_GT(without, 10);
}

/// fit() asked for the layout of a plan answers with the plan's own memory and time.
TEST(Search, HundredPlansAreRecomputedByFitToTheLastDigit) {
  PlanRequest request = world().request();
  request.filters.max_gpus = 32;
  const PlanSet set = PlanWorld::checked(plan(request));
  std::vector<const Plan*> plans;
  for (const auto* list : {&set.plans, &set.unpriced_plans}) {
    for (const Plan& plan : *list) {
      plans.push_back(&plan);
    }
  }
  ASSERT_GE(plans.size(), 100U);
  std::mt19937 random(7);
  std::shuffle(plans.begin(), plans.end(), random);
  for (std::size_t i = 0; i < 100; ++i) {
    const Plan& plan = *plans[i];
    FitRequest fit_request{.arch = request.arch, .job = request.job, .gpus = plan.gpus()};
    fit_request.profile = &*std::find_if(world().profiles.begin(), world().profiles.end(), [&](const Profile& profile) {
      return profile.id == plan.framework;
    });
    fit_request.job.micro_batch_size = plan.candidate.micro_batch_size;
    fit_request.job.global_batch_size = plan.candidate.global_batch_size;
    fit_request.job.activation_recompute = plan.candidate.recompute;
    fit_request.layout = plan.candidate.layout;
    fit_request.target = {.gpu = plan.machine->gpu, .rates = plan.machine->rates, .cluster = plan.machine->cluster};
    const FitReport report = PlanWorld::checked(fit(fit_request));
    const std::string what = plan.framework + " " + describe(plan.candidate.layout);
    EXPECT_EQ(report.memory.device.mid.base(), plan.memory.device.mid.base()) << what;
    EXPECT_EQ(report.memory.allocated.high.base(), plan.memory.allocated.high.base()) << what;
    EXPECT_EQ(report.time->step_time.mid.base(), plan.time.step_time.mid.base()) << what;
    EXPECT_EQ(report.time->step_time.high.base(), plan.time.step_time.high.base()) << what;
    EXPECT_EQ(report.verdict, plan.verdict) << what;
  }
}

}  // namespace
}  // namespace mekiki
