// How many layouts a core evaluates in a second: memory and time both computed.
//   build/release/tests/benchmark/plan_benchmark
// items_per_second is the figure; `_memory` and `_time` ask for one of the two beside the lowering, in the closed forms
// that a search asks first; `_walk` times every pass of every pipeline stage.
#include <algorithm>

#include <benchmark/benchmark.h>

#include "catalog/machines.h"
#include "catalog/profile_reader.h"
#include "model/family.h"
#include "search/evaluator.h"
#include "search/plan.h"
#include "search/plan_rules.h"

namespace mekiki {
namespace {

constexpr std::string_view kDense8B = "data/models/meta-llama__Meta-Llama-3.1-8B.json";
constexpr std::string_view kDense405B = "data/models/meta-llama__Meta-Llama-3.1-405B.json";

struct Problem {
  Arch arch;
  Profile profile;
  ResolvedJob job;
  PreparedModel model;
  RatesBook book;
  Market market;
  const Machine* machine = nullptr;
};

Problem problem(std::string_view config, std::string_view framework, std::string_view system) {
  const Catalog& catalog = bundled_catalog();
  Problem p;
  p.arch = read_config(*find_document(catalog, config), config)->arch;
  p.profile = *find_profile(catalog, framework);
  p.job = *with_defaults({.sequence_length = 4096}, p.profile, {.max_position_embeddings = 131072});
  p.model = *prepare_model(p.arch, p.job);
  p.book = *rates_book(catalog);
  p.market = *market_of(catalog, p.book, *parse_date("2026-11-20"));
  for (const Machine& machine : p.market.machines) {
    p.machine = machine.system.id == system ? &machine : p.machine;
  }
  return p;
}

std::vector<Candidate> candidates_of(const Problem& p, std::int64_t gpus) {
  const SearchSpace space{.global_batch_size = 1024};
  const ClusterSize cluster{gpus, p.machine->cluster.gpus_per_node, p.machine->cluster.link_domain};
  std::vector<Candidate> candidates;
  for (const ParallelLayout& layout :
       layouts_of(p.profile, limits_of(p.arch, p.job.sequence_length, gpus), cluster, space, false)) {
    for (const ActivationRecompute recompute : recomputes_of(space, p.profile)) {
      for (const std::int64_t micro_batch : micro_batches_of(space, layout)) {
        if (const auto batch = global_batch_on(space, layout, micro_batch)) {
          candidates.push_back({layout, micro_batch, recompute, *batch});
        }
      }
    }
  }
  return candidates;
}

enum class Asked { memory, time, both, walk };

void evaluate(benchmark::State& state, std::string_view config, std::string_view framework, Asked asked) {
  Problem p = problem(config, framework, "azure-nd96isr-h100-v5");
  const std::vector<Candidate> candidates = candidates_of(p, state.range(0));
  LayoutEvaluator evaluator(p.model, p.job, p.profile, *p.machine->rates);
  std::int64_t evaluated = 0;
  for (auto _ : state) {
    for (const Candidate& candidate : candidates) {
      if (evaluator.choose(candidate)) {
        if (asked == Asked::memory || asked == Asked::both) {
          benchmark::DoNotOptimize(evaluator.peak());
        }
        if (asked == Asked::time || asked == Asked::both) {
          benchmark::DoNotOptimize(evaluator.time_floor(p.machine->cluster));
        }
        if (asked == Asked::walk) {
          benchmark::DoNotOptimize(evaluator.time(p.machine->cluster));
        }
        ++evaluated;
      }
    }
  }
  state.SetItemsProcessed(evaluated);
  state.counters["candidates"] = static_cast<double>(candidates.size());
}

void lowering_only(benchmark::State& state, std::string_view config, std::string_view framework) {
  Problem p = problem(config, framework, "azure-nd96isr-h100-v5");
  const std::vector<Candidate> candidates = candidates_of(p, state.range(0));
  LayoutEvaluator evaluator(p.model, p.job, p.profile, *p.machine->rates);
  for (auto _ : state) {
    for (const Candidate& candidate : candidates) {
      benchmark::DoNotOptimize(evaluator.choose(candidate));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(candidates.size()));
}

/// A whole plan: a 405B model on every system up to 16,384 GPUs, all frameworks.
void whole_plan(benchmark::State& state) {
  const Catalog& catalog = bundled_catalog();
  const auto documents = [&](std::string_view path) { return find_document(catalog, path); };
  const Arch arch = read_config(*find_document(catalog, kDense405B), kDense405B)->arch;
  const RatesBook book = *rates_book(catalog);
  const Market market = *market_of(catalog, book, *parse_date("2026-11-20"));
  const PlanRules rules = *read_plan_rules(documents);
  std::vector<Profile> profiles;
  for (const std::string& framework : planned_frameworks(rules)) {
    profiles.push_back(*find_profile(catalog, framework));
  }
  PlanRequest request{.arch = &arch, .profiles = profiles, .rules = &rules};
  request.market = {market.machines, market.prices, market.storage, market.egress};
  request.job.method = Method::continued_pretraining;
  request.job.sequence_length = 4096;
  request.job.tokens = 100'000'000'000;
  request.filters.max_gpus = 16384;
  request.threads = static_cast<unsigned>(state.range(0));
  PlanStats stats;
  for (auto _ : state) {
    stats = plan(request)->stats;
  }
  state.counters["considered"] = static_cast<double>(stats.considered);
  state.counters["evaluated"] = static_cast<double>(stats.evaluated);
}

BENCHMARK_CAPTURE(evaluate, dense_8b_sharded, kDense8B, "torchtitan", Asked::both)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, dense_8b_sharded_memory, kDense8B, "torchtitan", Asked::memory)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, dense_8b_sharded_time, kDense8B, "torchtitan", Asked::time)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, dense_8b_sharded_walk, kDense8B, "torchtitan", Asked::walk)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluate, dense_405b_all_axes, kDense405B, "megatron-core", Asked::both)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lowering_only, dense_8b_sharded, kDense8B, "torchtitan")->Arg(64)->Unit(benchmark::kMillisecond);
BENCHMARK(whole_plan)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
}  // namespace mekiki

BENCHMARK_MAIN();
