#include "audit/predicted_speed.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "search/engine.h"
#include "search/finalist.h"
#include "search/parallel.h"
#include "search/place.h"

namespace mekiki {
namespace {

TokensPerSecond rate_in(const TimeReport& time, Seconds step) {
  return Tokens{time.tokens_per_step} / step;
}

/// The fastest layout of each framework that holds, in full.
std::vector<Plan> plans_by_framework(const PlanContext& context, const ClaimedMachine& claimed) {
  std::vector<std::optional<Plan>> found(context.engines.size());
  for_each_index(found.size(), context.request->threads, [&](std::size_t e) {
    PlanContext alone = context;
    alone.engines = context.engines.subspan(e, 1);
    std::vector<Place> places{{.machine = claimed.machine, .nodes = claimed.nodes, .machines = {claimed.machine}}};
    explore_places(places, alone, 1);
    if (places.front().pick) {
      found[e] = finalist(alone, *claimed.machine, claimed.nodes, *places.front().pick);
    }
  });
  std::vector<Plan> plans;
  for (std::optional<Plan>& plan : found) {
    if (plan) {
      plans.push_back(std::move(*plan));
    }
  }
  return plans;
}

void add_rate(PredictedSpeed& speed, const Plan& plan) {
  const TokensPerSecond low = rate_in(plan.time, plan.time.step_time.high);
  const TokensPerSecond mid = plan.time.tokens_per_s;
  const TokensPerSecond high = rate_in(plan.time, plan.time.step_time.low);
  if (!speed.rate) {
    speed.rate = Estimate<TokensPerSecond>{low, mid, high, plan.time.step_time.basis};
    speed.slowest = speed.fastest = plan.framework;
    return;
  }
  if (low < speed.rate->low) {
    speed.rate->low = low;
    speed.slowest = plan.framework;
  }
  if (high > speed.rate->high) {
    speed.rate->high = high;
    speed.fastest = plan.framework;
  }
  speed.rate->mid = std::max(speed.rate->mid, mid);
  speed.rate->basis = weakest(speed.rate->basis, plan.time.step_time.basis);
}

PredictedSpeed speed_of(const std::vector<Plan>& plans) {
  const auto best = std::min_element(plans.begin(), plans.end(), [](const Plan& a, const Plan& b) {
    return std::pair(a.verdict, a.time.step_time.mid / a.time.tokens_per_step) <
           std::pair(b.verdict, b.time.step_time.mid / b.time.tokens_per_step);
  });
  PredictedSpeed speed{.memory = best->verdict,
                       .framework = best->framework,
                       .device = best->memory.device.mid,
                       .capacity = best->capacity};
  for (const Plan& plan : plans) {
    add_rate(speed, plan);
  }
  return speed;
}

Result<PredictedSpeed> speed_as_asked(const PlanRequest& request, const ClaimedMachine& claimed) {
  Result<OpenedRequest> open = opened(request);
  if (!open) {
    return fail(open.error());
  }
  SearchSpace& space = open->choices.space;
  const std::int64_t gpus = claimed.nodes * claimed.machine->system.gpus;
  if (space.batch_may_grow) {
    space.global_batch_size = std::max(space.global_batch_size, gpus);
  }
  const PlanContext context{
      .request = &request, .engines = open->engines.able, .space = space, .model_weights = open->model_weights};
  const std::vector<Plan> plans = plans_by_framework(context, claimed);
  if (!plans.empty()) {
    return speed_of(plans);
  }
  const std::optional<MemoryMiss> miss = memory_miss(context, *claimed.machine, claimed.nodes);
  if (!miss) {
    return fail({ErrorCode::unsupported,
                 "gpus",
                 "no layout of any framework shares this job out over " + std::to_string(gpus) + " GPUs",
                 "name the batch and the layout of the claim"});
  }
  return PredictedSpeed{.memory = Verdict::does_not_fit,
                        .framework = miss->framework,
                        .device = miss->device,
                        .capacity = miss->capacity};
}

/// What saves memory, tried in this order.
struct Saving {
  std::optional<Offload> offload;
  std::optional<Optimizer> optimizer;
  std::optional<Precision> precision;
};
constexpr Saving kSavings[] = {
    {.offload = Offload::optimizer_and_weights},
    {.offload = Offload::everything},
    {.optimizer = Optimizer::adamw_8bit},
    {.optimizer = Optimizer::adamw_8bit, .precision = Precision::bf16_pure},
    {.offload = Offload::everything, .optimizer = Optimizer::adamw_8bit, .precision = Precision::bf16_pure}};

template <class E>
void take(std::optional<E>& key, std::string_view name, const std::optional<E>& value, std::string& text) {
  if (value && !key) {
    key = value;
    text += (text.empty() ? "" : " ") + std::string(name) + "=" + std::string(enum_name(*value));
  }
}

}  // namespace

Result<PredictedSpeed> predict_speed(const PlanRequest& request, const ClaimedMachine& claimed) {
  Result<PredictedSpeed> asked = speed_as_asked(request, claimed);
  if (!asked || asked->memory != Verdict::does_not_fit) {
    return asked;
  }
  for (const Saving& saving : kSavings) {
    PlanRequest lighter = request;
    std::string text;
    take(lighter.job.offload, "offload", saving.offload, text);
    take(lighter.job.optimizer, "optimizer", saving.optimizer, text);
    take(lighter.job.precision, "precision", saving.precision, text);
    if (text.empty()) {
      continue;
    }
    Result<PredictedSpeed> speed = speed_as_asked(lighter, claimed);
    if (speed && speed->memory != Verdict::does_not_fit) {
      speed->saving = std::move(text);
      return speed;
    }
  }
  return asked;
}

}  // namespace mekiki
