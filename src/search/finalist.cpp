#include "search/finalist.h"

#include <algorithm>

#include "base/check.h"

namespace mekiki {
namespace {

InputQuality memory_inputs(const PlanRequest& request, const Profile& profile) {
  const Lengths lengths = request.job.lengths.value_or(Lengths::fixed);
  const bool even = lengths == Lengths::fixed || lengths == Lengths::packed;
  return request.job.sequence_length && even && !profile.generic ? InputQuality::stated : InputQuality::assumed;
}

LayoutLimits limits_on(const PlanContext& context, const Engine& engine, std::int64_t gpus) {
  return limits_of(*context.request->arch, engine.job.sequence_length, gpus);
}

Category largest_category(const CategoryBytes& categories) {
  const auto largest = std::max_element(categories.begin(), categories.end());
  return static_cast<Category>(largest - categories.begin());
}

SetupEffort effort_of(const ParallelLayout& layout) {
  if (layout.world_size() == 1) {
    return SetupEffort::single_gpu;
  }
  const bool one_dimension = layout.tensor_parallel == 1 && layout.pipeline_parallel == 1 &&
                             layout.context_parallel == 1 && layout.expert_parallel == 1;
  if (!one_dimension) {
    return SetupEffort::multi_dimensional;
  }
  return layout.zero_stage > 0 ? SetupEffort::sharded : SetupEffort::data_parallel;
}

/// Whether a framework enumerates this very layout there and has it hold, with headroom if the pick does.
bool runs(
    const PlanContext& context, const Engine& engine, const Machine& machine, std::int64_t nodes, const Pick& pick) {
  if (!runs_on(engine.limits, *machine.gpu, nodes)) {
    return false;
  }
  const std::int64_t gpus = nodes * machine.system.gpus;
  const ClusterSize cluster{gpus, machine.system.gpus, machine.cluster.link_domain};
  const std::vector<ParallelLayout> layouts = layouts_of(*engine.profile,
                                                         limits_on(context, engine, gpus),
                                                         cluster,
                                                         context.space,
                                                         trains_adapters_only(engine.job.method));
  if (std::find(layouts.begin(), layouts.end(), pick.candidate.layout) == layouts.end()) {
    return false;
  }
  LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *machine.rates);
  if (!evaluator.choose(pick.candidate)) {
    return false;
  }
  const Bytes device = evaluator.peak().device_on(machine.gpu->memory_reported);
  const Verdict verdict = verdict_of({device, device, device}, machine.gpu->memory_reported, engine.job.headroom);
  return verdict == Verdict::fits || (!pick.fits && verdict == Verdict::tight);
}

void communication(const PlanRequest& request, Plan& plan) {
  plan.share_waiting = plan.time.communication_share();
  const LinkKind link = plan.machine->cluster.link;
  const bool slow_link = link == LinkKind::pcie || link == LinkKind::none;
  plan.waits_for_communication =
      plan.gpus() > 1 && slow_link && plan.share_waiting >= request.rules->search.waiting_share;
}

/// Spot and marketplace prices move while a job runs: over the range that was seen.
std::vector<UsdPerSecond> drawn_prices(const PriceChoice& price, std::span<const Draw> draws) {
  std::vector<UsdPerSecond> prices;
  if (moves_daily(price.offer.price.kind) && price.low < price.high) {
    for (const Draw& draw : draws) {
      prices.push_back(
          UsdPerSecond{scaled_by_band(price.low.base(), price.offer.per_node().base(), price.high.base(), draw.price)});
    }
  }
  return prices;
}

/// The on-demand price of the same system; null: none known.
const PriceChoice* list_price(const PlanRequest& request, const PriceChoice& price) {
  const System& system = price.offer.system;
  for (const PriceChoice& other : request.market.prices) {
    const System& same = other.offer.system;
    if (other.offer.price.kind == PriceKind::on_demand && same.id == system.id && same.gpu_id == system.gpu_id &&
        same.gpus == system.gpus) {
      return &other;
    }
  }
  return nullptr;
}

CostInputs cost_inputs(const PlanContext& context, const Plan& plan, const Run& run) {
  const PriceChoice& price = *plan.price;
  const PlanRequest& request = *context.request;
  return {.per_node = price.offer.per_node(),
          .drawn_prices = drawn_prices(price, context.draws),
          .billing_increment = price.offer.price.billing_increment,
          .minimum = price.offer.price.minimum,
          .nodes = plan.nodes,
          .wall_p50 = run.p50,
          .drawn_walls = run.drawn,
          .interruptions = run.interruptions,
          .checkpoint = plan.checkpoint.resume,
          .delivered = plan.checkpoint.delivered,
          .effort = effort_of(plan.candidate.layout),
          .deliveries = request.deliveries,
          .reuse = request.reuse,
          .storage = storage_of(request.market.storage, plan.machine->system.provider),
          .egress = egress_of(request.market.egress, plan.machine->system.provider)};
}

}  // namespace

std::optional<Pick> pick_of(std::span<const Exploration> by_engine) {
  std::optional<Pick> pick;
  Seconds best;
  for (const bool fits : {true, false}) {
    for (std::size_t i = 0; i < by_engine.size(); ++i) {
      const auto& choice = fits ? by_engine[i].fits : by_engine[i].tight;
      if (choice && (!pick || choice->time.per_token() < best)) {
        pick = Pick{i, choice->candidate, fits};
        best = choice->time.per_token();
      }
    }
    if (pick) {
      return pick;
    }
  }
  return pick;
}

Pick confirmed(const PlanContext& context, const Machine& machine, Pick pick) {
  const Engine& engine = context.engines[pick.engine];
  LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *machine.rates);
  MEKIKI_CHECK(evaluator.choose(pick.candidate, Detail::full), "it was lowered before");
  const Bytes capacity = machine.gpu->memory_reported;
  pick.memory = memory_on(evaluator.program(),
                          evaluator.job(),
                          *engine.profile,
                          memory_inputs(*context.request, *engine.profile),
                          capacity);
  pick.verdict = verdict_of(pick.memory->device, capacity, engine.job.headroom);
  return pick;
}

std::vector<std::string> frameworks_that_run(const PlanContext& context,
                                             const Machine& machine,
                                             std::int64_t nodes,
                                             const Pick& pick) {
  std::vector<std::string> frameworks{context.engines[pick.engine].profile->id};
  for (std::size_t i = 0; i < context.engines.size(); ++i) {
    if (i != pick.engine && runs(context, context.engines[i], machine, nodes, pick)) {
      frameworks.push_back(context.engines[i].profile->id);
    }
  }
  return frameworks;
}

namespace {

/// Of a usual batch, which padding makes no longer than its own longest sample; the evaluator stands at the longest of
/// all.
TimeReport usual_step_time(
    const Engine& engine, const Machine& machine, const Plan& plan, InputQuality inputs, LayoutEvaluator& longest) {
  const auto time = [&](LayoutEvaluator& evaluator) {
    return step_time(evaluator.program(), evaluator.job(), *engine.profile, *machine.rates, machine.cluster, inputs);
  };
  const ResolvedJob timed = as_timed(plan.job);
  if (timed.sequence_length == plan.job.sequence_length) {
    return time(longest);
  }
  LayoutEvaluator usual(engine.model, timed, *engine.profile, *machine.rates);
  MEKIKI_CHECK(usual.choose(plan.candidate, Detail::full), "a shorter sequence has the same layouts");
  return time(usual);
}

}  // namespace

Plan finalist(const PlanContext& context, const Machine& machine, std::int64_t nodes, const Pick& pick) {
  const PlanRequest& request = *context.request;
  const Engine& engine = context.engines[pick.engine];
  LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *machine.rates);
  MEKIKI_CHECK(evaluator.choose(pick.candidate, Detail::full), "it was lowered before");
  Plan plan{.machine = &machine, .nodes = nodes, .framework = engine.profile->id, .candidate = pick.candidate};
  plan.job = evaluator.job();
  plan.capacity = machine.gpu->memory_reported;
  const InputQuality inputs = memory_inputs(request, *engine.profile);
  plan.memory =
      pick.memory ? *pick.memory : memory_on(evaluator.program(), plan.job, *engine.profile, inputs, plan.capacity);
  plan.verdict = verdict_of(plan.memory.device, plan.capacity, plan.job.headroom);
  plan.oom_probability = oom_probability(plan.memory.needed, plan.capacity);
  plan.time = usual_step_time(engine, machine, plan, inputs, evaluator);
  plan.checkpoint = checkpoint_size(engine.model, plan.job, static_cast<std::int64_t>(context.model_weights));
  communication(request, plan);
  return plan;
}

std::optional<Forecast> forecast_of(const PlanContext& context, const Plan& plan, double tokens) {
  const PlanRequest& request = *context.request;
  const RunInputs inputs{.tokens = tokens,
                         .tokens_band = request.tokens_band,
                         .tokens_per_step = plan.time.tokens_per_step,
                         .step_time = plan.time.step_time,
                         .gpus = plan.gpus(),
                         .nodes = plan.nodes,
                         .interruptible = plan.price != nullptr && plan.price->offer.price.kind == PriceKind::spot,
                         .checkpoint = plan.checkpoint.resume,
                         .save_interval = request.save_interval};
  std::optional<Run> run = forecast_run(inputs, request.rules->forecast, context.draws);
  if (!run) {
    return std::nullopt;
  }
  Forecast forecast{.run = std::move(*run)};
  if (plan.price != nullptr) {
    forecast.cost = cost_of(cost_inputs(context, plan, forecast.run), request.rules->cost);
  }
  return forecast;
}

PlanResult priced(const PlanContext& context, Plan plan, const PriceChoice* price) {
  const PlanFilters& filters = context.request->filters;
  plan.price = price;
  Rejection rejection{.machine = plan.machine, .nodes = plan.nodes, .price = price};
  std::optional<Forecast> forecast = forecast_of(context, plan, static_cast<double>(*context.request->job.tokens));
  if (!forecast) {
    rejection.kind = RejectionKind::interruptions;
    return rejection;
  }
  plan.run = std::move(forecast->run);
  plan.cost = forecast->cost;
  plan.waiting = price != nullptr && price->offer.price.waiting ? price->offer.price.waiting : filters.waiting;
  if (price != nullptr) {
    plan.commitment = commitment_of({.price = price,
                                     .on_demand = list_price(*context.request, *price),
                                     .wall = plan.run.p50,
                                     .nodes = plan.nodes,
                                     .utilisation = filters.utilisation});
  }
  if (filters.deadline && plan.wall_p90() > *filters.deadline) {
    rejection.kind = RejectionKind::over_deadline;
    return rejection;
  }
  if (plan.cost && filters.budget && plan.cost->total_p90 > *filters.budget) {
    rejection.kind = RejectionKind::over_budget;
    return rejection;
  }
  return plan;
}

std::optional<MemoryMiss> memory_miss(const PlanContext& context, const Machine& machine, std::int64_t nodes) {
  const ExploreTarget target{&machine, nodes, machine.gpu->memory_reported};
  std::optional<LeastMemory> least;
  const Engine* nearest = nullptr;
  for (const Engine& engine : context.engines) {
    if (!runs_on(engine.limits, *machine.gpu, nodes)) {
      continue;
    }
    LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *machine.rates);
    const LayoutLimits limits = limits_on(context, engine, nodes * machine.system.gpus);
    const auto found = least_memory(engine, limits, context.space, target, evaluator);
    if (found && (!least || found->device < least->device)) {
      least = found;
      nearest = &engine;
    }
  }
  if (!least) {
    return std::nullopt;
  }
  LayoutEvaluator evaluator(nearest->model, nearest->job, *nearest->profile, *machine.rates);
  MEKIKI_CHECK(evaluator.choose(least->candidate, Detail::full), "it was lowered before");
  const MemoryReport report = memory(
      evaluator.program(), evaluator.job(), *nearest->profile, memory_inputs(*context.request, *nearest->profile));
  const Bytes wanted = report.device.mid * (1.0 + nearest->job.headroom);
  return MemoryMiss{.framework = nearest->profile->id,
                    .candidate = least->candidate,
                    .largest = largest_category(report.categories),
                    .device = report.device.mid,
                    .capacity = target.capacity,
                    .short_by = wanted - target.capacity};
}

MemoryMiss headroom_miss(const Plan& tight) {
  return {.framework = tight.framework,
          .candidate = tight.candidate,
          .largest = largest_category(tight.memory.categories),
          .device = tight.memory.device.mid,
          .capacity = tight.capacity,
          .short_by = tight.memory.device.mid * (1.0 + tight.job.headroom) - tight.capacity};
}

}  // namespace mekiki
