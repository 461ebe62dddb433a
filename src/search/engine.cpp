#include "search/engine.h"

#include <algorithm>

#include "model/count.h"

namespace mekiki {
namespace {

Result<Engine> engine_of(const PlanRequest& request, const Profile& profile) {
  Result<ResolvedJob> job =
      with_defaults(request.job, profile, {.max_position_embeddings = request.arch->max_position_embeddings});
  if (!job) {
    return fail(job.error());
  }
  if (trains_adapters_only(job->method) && !profile.supports.adapters) {
    return fail({ErrorCode::unsupported,
                 "method",
                 "the framework " + profile.id + " trains no adapters",
                 "choose another framework, or method full"});
  }
  const EngineLimits* limits = limits_of_framework(request.rules->engines, profile.id);
  if (!trains_family(limits, request.arch->family)) {
    return fail({ErrorCode::unsupported,
                 "framework",
                 "the framework " + profile.id + " does not train models of the family " + request.arch->family,
                 "choose another framework"});
  }
  Result<PreparedModel> model = prepare_model(*request.arch, *job);
  if (!model) {
    return fail(model.error());
  }
  return Engine{.profile = &profile, .job = std::move(*job), .model = std::move(*model), .limits = limits};
}

}  // namespace

Result<Engines> engines_of(const PlanRequest& request) {
  Engines engines;
  for (const Profile& profile : request.profiles) {
    Result<Engine> engine = engine_of(request, profile);
    if (engine) {
      engines.able.push_back(std::move(*engine));
    } else {
      engines.excluded.push_back({profile.id, engine.error()});
    }
  }
  if (!engines.able.empty()) {
    return engines;
  }
  return engines.excluded.empty()
             ? fail({ErrorCode::invalid_input, "framework", "there is no framework to plan with", ""})
             : fail(engines.excluded.front().why);
}

Result<OpenChoices> open_choices(const PlanRequest& request, const ResolvedJob& job, double model_weights) {
  OpenChoices choices;
  SearchSpace& space = choices.space;
  space.layout = request.layout;
  space.micro_batch_size = request.job.micro_batch_size;
  space.recompute = request.job.activation_recompute;
  if (request.job.global_batch_size) {
    space.global_batch_size = *request.job.global_batch_size;
  } else if (request.job.gradient_accumulation_steps) {
    space.gradient_accumulation_steps = request.job.gradient_accumulation_steps;
    choices.defaults.batch_varies = true;
  } else {
    const std::optional<std::int64_t> usual =
        usual_global_batch(request.rules->batch, job.method, model_weights, job.sequence_length);
    if (!usual) {
      return fail({ErrorCode::invalid_input,
                   "global_batch_size",
                   "no usual batch is known for the method " + std::string(enum_name(job.method)),
                   "give --global-batch-size"});
    }
    space.global_batch_size = *usual;
    space.batch_may_grow = true;
    choices.defaults.batch_assumed = true;
  }
  choices.defaults.global_batch_size = space.global_batch_size;
  const SearchRules& rules = request.rules->search;
  choices.defaults.max_gpus_assumed = !request.filters.max_gpus;
  choices.defaults.max_gpus = request.filters.max_gpus.value_or(
      usual_most_gpus(rules, model_weights, static_cast<double>(request.job.tokens.value_or(1))));
  if (request.filters.gpus_in_total) {
    choices.defaults.max_gpus = std::max(choices.defaults.max_gpus, *request.filters.gpus_in_total);
  }
  choices.defaults.price_kinds = request.filters.price_kinds;
  if (choices.defaults.price_kinds.empty()) {
    choices.defaults.price_kinds = {PriceKind::on_demand};
  }
  return choices;
}

Result<OpenedRequest> opened(const PlanRequest& request) {
  Result<Engines> engines = engines_of(request);
  if (!engines) {
    return fail(engines.error());
  }
  const auto weights = static_cast<double>(count_weights(*request.arch).trainable);
  Result<OpenChoices> choices = open_choices(request, engines->able.front().job, weights);
  if (!choices) {
    return fail(choices.error());
  }
  return OpenedRequest{std::move(*engines), std::move(*choices), weights};
}

}  // namespace mekiki
