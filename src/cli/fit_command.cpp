#include "catalog/catalog.h"
#include "catalog/machines.h"
#include "cli/commands.h"
#include "cli/corpus_source.h"
#include "cli/explain_source.h"
#include "cli/fit_target.h"
#include "cli/here_source.h"
#include "cli/job_source.h"
#include "cli/model_source.h"
#include "cli/profile_source.h"
#include "job/job_keys.h"
#include "report/fit_report.h"
#include "search/alternatives.h"

namespace mekiki {
namespace {

constexpr std::size_t kOtherGpus = 3;

struct FitInputs {
  JobRequest request;
  NamedModel model;
  std::optional<CorpusReading> corpus;
  Profile profile;
  NamedTarget target;
  std::optional<ParallelLayout> layout;
};

Result<FitInputs> read_inputs(const Context& context, JobRequest request) {
  Result<NamedModel> model = read_model(context, request.model);
  if (!model) {
    return fail(model.error());
  }
  Result<CountedJob> counted = with_corpus_tokens(context, request.job, model->model.arch);
  if (!counted) {
    return fail(counted.error());
  }
  request.job = std::move(counted->job);
  Result<Profile> profile = profile_of(context, request.job);
  if (!profile) {
    return fail(profile.error());
  }
  Result<NamedTarget> target = read_target(context, request);
  if (!target) {
    return fail(target.error());
  }
  Result<std::optional<ParallelLayout>> layout = read_layout(request.layout, target->gpus, *profile);
  if (!layout) {
    return fail(layout.error());
  }
  return FitInputs{std::move(request),
                   std::move(*model),
                   std::move(counted->reading),
                   std::move(*profile),
                   std::move(*target),
                   *layout};
}

FitRequest fit_request(const FitInputs& inputs) {
  return {.arch = &inputs.model.model.arch,
          .job = inputs.request.job,
          .profile = &inputs.profile,
          .gpus = inputs.target.gpus,
          .layout = inputs.layout,
          .target = inputs.target.target};
}

/// Every GPU of the catalogue, with this many of them as such machines usually are.
std::vector<GpuChoice> gpu_choices(const Context& context, const NamedTarget& target) {
  std::vector<GpuChoice> choices;
  for (const Gpu& gpu : context.catalog->gpus) {
    choices.push_back(choice_of(context, target, gpu));
  }
  return choices;
}

Result<Outcome> run_quick(const Context& context, const JobRequest& request) {
  QuickAnswer quick{.question = {static_cast<double>(*request.params), usual_quick_rule()},
                    .tokens_were_given = request.job.tokens || request.job.corpus.is_given()};
  const Result<NamedTarget> target = read_target(context, request);
  if (!target) {
    return fail(at_origin(request, target.error()));
  }
  const Result<Profile> profile = profile_of(context, request.job);
  if (!profile) {
    return fail(at_origin(request, profile.error()));
  }
  const Result<ResolvedJob> job = with_defaults(request.job, *profile, {});
  if (!job) {
    return fail(at_origin(request, job.error()));
  }
  const bool stated =
      !request.job.framework.empty() || request.job.precision || request.job.optimizer || request.job.method;
  if (stated) {
    quick.question.first = quick_rule_of(*job);
  }
  if (target->target.gpu != nullptr) {
    quick.gpu = target->target.gpu;
    quick.capacity = quick.gpu->memory_reported - target->target.held_by_others;
  }
  return answer_with(
      context,
      states_alone_too_large(quick) ? ExitCode::negative : ExitCode::ok,
      [&] { return quick_text(quick, context.say); },
      [&] { return quick_json(quick, context.envelope, context.say); });
}

/// Of the GPU that is cut, over its instance; unset where nothing is cut or no time is known.
std::optional<double> speedup_of_whole_gpu(const FitInputs& inputs, const FitRequest& asked, const FitReport& report) {
  if (inputs.target.whole == nullptr || !asked.target.rates || !report.time) {
    return std::nullopt;
  }
  FitRequest whole = asked;
  whole.target.gpu = whole.target.rates->gpu = inputs.target.whole;
  const Result<FitReport> of_whole = fit(whole);
  return of_whole && of_whole->time ? std::optional(report.time->step_time.mid / of_whole->time->step_time.mid)
                                    : std::nullopt;
}

FitAnswer answer_of(const Context& context, FitInputs inputs, FitReport report) {
  const Job& job = inputs.request.job;
  FitAnswer answer{.model = inputs.request.model, .counts = count_weights(inputs.model.model.arch)};
  answer.gpu = inputs.target.target.gpu;
  answer.instance = inputs.target.instance;
  answer.system = inputs.target.system;
  answer.gpus = inputs.target.gpus;
  answer.gpus_per_node = inputs.target.target.cluster.gpus_per_node;
  answer.network = answer.gpu != nullptr && answer.gpus > answer.gpus_per_node;
  answer.network_assumed = inputs.target.target.cluster.network_assumed && answer.network;
  answer.cuda_graphs = report.job.cuda_graphs;
  answer.no_step_time = inputs.target.no_step_time;
  answer.generic_profile = inputs.profile.generic;
  answer.framework_asked = job.framework;
  answer.stack_stated = !job.framework.empty() || job.precision || job.optimizer;
  const FitRequest request = fit_request(inputs);
  answer.inefficient = inefficiency_of(request, report);
  answer.mig = inputs.request.target.mig;
  answer.whole_gpu_speedup = speedup_of_whole_gpu(inputs, request, report);
  answer.other_gpus = gpus_that_hold(request, report, gpu_choices(context, inputs.target), kOtherGpus);
  answer.gpu_hours = gpu_hours_of(*context.catalog, context.envelope.as_of);
  answer.config_warnings = inputs.model.model.warnings;
  answer.corpus = std::move(inputs.corpus);
  answer.job_file = {inputs.request.format, inputs.request.notes};
  answer.fit = std::move(report);
  answer.arch = std::move(inputs.model.model.arch);
  return answer;
}

}  // namespace

Result<Outcome> run_fit(const Context& asked_context, const Arguments& arguments) {
  Result<JobRequest> request = read_request(asked_context, arguments);
  if (!request) {
    return fail(request.error());
  }
  const auto here = catalog_with_here(asked_context, arguments, request->target.system);
  if (!here) {
    return fail(here.error());
  }
  const Context context = *here == nullptr ? asked_context : on_catalog(asked_context, (*here)->catalog);
  if (request->model.empty() && request->params) {
    if (arguments.has("explain") || arguments.has("worksheet")) {
      return fail({ErrorCode::usage, "params", "a count alone has no terms to take apart", "name a model"});
    }
    return run_quick(context, *request);
  }
  if (request->model.empty()) {
    return fail({ErrorCode::usage, "model", "no model is named", "mekiki fit --help"});
  }
  Result<FitInputs> inputs = read_inputs(context, *request);
  if (!inputs) {
    return fail(at_origin(*request, inputs.error()));
  }
  Result<FitReport> report = fit(fit_request(*inputs));
  if (!report) {
    return fail(at_origin(*request, report.error()));
  }
  Result<FitExtras> extras = read_extras(context, arguments, fit_request(*inputs), *report, request->origins);
  if (!extras) {
    return fail(extras.error());
  }
  const FitAnswer answer = answer_of(context, std::move(*inputs), std::move(*report));
  const ExitCode code = answer.fit.verdict == Verdict::does_not_fit ? ExitCode::negative : ExitCode::ok;
  Outcome outcome = answer_with(
      context,
      code,
      [&] {
        return extras->explained ? explain_text(answer, *extras->explained, context.say)
                                 : fit_text(answer, context.say, context.colour);
      },
      [&] {
        Json json = fit_json(answer, context.envelope, context.say);
        return extras->explained ? with_explanations(std::move(json), *extras->explained, answer, context.say) : json;
      });
  outcome.talk = std::move(extras->talk);
  return outcome;
}

}  // namespace mekiki
