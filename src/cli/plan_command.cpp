#include <algorithm>
#include <iterator>

#include "advice/adviser.h"
#include "base/amount.h"
#include "catalog/catalog.h"
#include "catalog/machines.h"
#include "cli/checkpoint_source.h"
#include "cli/commands.h"
#include "cli/corpus_source.h"
#include "cli/here_source.h"
#include "cli/job_source.h"
#include "cli/model_source.h"
#include "cli/plan_filters.h"
#include "cli/price_books.h"
#include "cli/profile_source.h"
#include "cli/provider_source.h"
#include "job/job_keys.h"
#include "report/plan_report.h"
#include "report/price_report.h"
#include "report/provider_report.h"
#include "search/plan_rules.h"

namespace mekiki {
namespace {

/// Everything that a PlanRequest points to.
struct PlanInputs {
  JobRequest request;
  NamedModel model;
  std::optional<CorpusReading> corpus;
  std::vector<Profile> profiles;
  RatesBook book;
  Market market;
  PlanRules rules;
  AdviceBook advice;
  std::vector<Baseline> baselines;
  std::vector<ApiPrice> api_prices;
  std::vector<MatrixRule> matrix;
  PlanFilters filters;
  Objective objective = Objective::cheapest;
};

Status read_rules_into(PlanInputs& inputs, const Context& context) {
  const auto document = [&](std::string_view path) { return find_document(*context.catalog, path); };
  Result<PlanRules> rules = read_plan_rules(document);
  if (!rules) {
    return fail(rules.error());
  }
  constexpr std::string_view kAdvicePath = "data/rules/advice.csv";
  constexpr std::string_view kWorkloadPath = "data/rules/workloads.csv";
  constexpr std::string_view kBaselinePath = "data/reference/baselines.csv";
  const Result<AdviceRules> advice = read_advice_rules(document(kAdvicePath).value_or(""), kAdvicePath);
  if (!advice) {
    return fail(advice.error());
  }
  constexpr std::string_view kSoftwarePath = "data/rules/software.csv";
  Result<std::vector<SoftwareMinimum>> software =
      read_software_minimums(document(kSoftwarePath).value_or(""), kSoftwarePath);
  if (!software) {
    return fail(software.error());
  }
  Result<std::vector<WorkloadRule>> workloads =
      read_workload_rules(document(kWorkloadPath).value_or(""), kWorkloadPath);
  if (!workloads) {
    return fail(workloads.error());
  }
  Result<std::vector<Baseline>> baselines = read_baselines(document(kBaselinePath).value_or(""), kBaselinePath);
  if (!baselines) {
    return fail(baselines.error());
  }
  constexpr std::string_view kApiPath = "data/prices/api_prices.csv";
  Result<std::vector<ApiPrice>> api_prices =
      read_api_prices(document(kApiPath).value_or(""), kApiPath, context.catalog->providers);
  if (!api_prices) {
    return fail(api_prices.error());
  }
  constexpr std::string_view kMatrixPath = "data/rules/matrix.csv";
  Result<std::vector<MatrixRule>> matrix = read_matrix(document(kMatrixPath).value_or(""), kMatrixPath);
  if (!matrix) {
    return fail(matrix.error());
  }
  inputs.matrix = std::move(*matrix);
  inputs.api_prices = std::move(*api_prices);
  inputs.rules = std::move(*rules);
  if (const std::optional<Usd>& rate = inputs.request.selection.engineer_usd_per_hour) {
    const UsdPerSecond own = *rate / kHour;
    inputs.rules.cost.engineer_rate = inputs.rules.cost_range.low.engineer_rate = own;
    inputs.rules.cost_range.high.engineer_rate = own;
  }
  inputs.advice = {.rules = *advice, .workloads = std::move(*workloads)};
  inputs.advice.rules.software = std::move(*software);
  inputs.baselines = std::move(*baselines);
  return {};
}

Status read_market_into(PlanInputs& inputs, const Context& context) {
  Result<RatesBook> book = rates_book(*context.catalog);
  if (!book) {
    return fail(book.error());
  }
  inputs.book = std::move(*book);
  Result<Market> market = market_of(*context.catalog, inputs.book, context.envelope.as_of);
  if (!market) {
    return fail(market.error());
  }
  inputs.market = std::move(*market);
  return {};
}

/// Tokens of the corpus, and what is known of the model that training starts from.
Status read_base_into(PlanInputs& inputs, const Context& context) {
  Result<CountedJob> counted = with_corpus_tokens(context, inputs.request.job, inputs.model.model.arch);
  if (!counted) {
    return fail(counted.error());
  }
  inputs.request.job = std::move(counted->job);
  inputs.corpus = std::move(counted->reading);
  const Result<std::vector<TextDensity>> densities = text_densities(context);
  if (!densities) {
    return fail(densities.error());
  }
  BaseModel& base = inputs.advice.base;
  base.language = inputs.request.job.corpus.language;
  if (base.language) {
    base.fertility = fertility_of(*densities, inputs.model.model.arch, *base.language);
  }
  if (!inputs.model.folder.empty()) {
    base.licence = read_license(*context.world->files, inputs.model.folder);
  }
  return {};
}

/// In place, because the market points into the book.
Status read_inputs(PlanInputs& inputs, const Context& context) {
  Result<NamedModel> model = read_model(context, inputs.request.model);
  if (!model) {
    return fail(model.error());
  }
  inputs.model = std::move(*model);
  for (const auto& read : {read_rules_into, read_base_into, read_market_into}) {
    if (const Status status = read(inputs, context); !status) {
      return status;
    }
  }
  Result<PlanFilters> filters = filters_of(context, inputs.request);
  if (!filters) {
    return fail(filters.error());
  }
  inputs.filters = std::move(*filters);
  const Result<Objective> objective = objective_of(inputs.request.selection);
  if (!objective) {
    return fail(objective.error());
  }
  inputs.objective = *objective;
  const Result<std::optional<Goal>> goal = goal_of(inputs.request.selection);
  if (!goal) {
    return fail(goal.error());
  }
  inputs.advice.goal = *goal;
  Result<std::vector<Profile>> profiles = profiles_of(context, inputs.request.job, inputs.rules);
  if (!profiles) {
    return fail(profiles.error());
  }
  inputs.profiles = std::move(*profiles);
  return {};
}

PlanRequest plan_request(const PlanInputs& inputs, unsigned threads, std::function<bool()> stop) {
  const Market& market = inputs.market;
  const SelectionRequest& selection = inputs.request.selection;
  return {.arch = &inputs.model.model.arch,
          .job = inputs.request.job,
          .layout = inputs.request.layout,
          .profiles = inputs.profiles,
          .market = {market.machines, market.prices, market.storage, market.egress},
          .rules = &inputs.rules,
          .filters = inputs.filters,
          .objective = inputs.objective,
          .tokens_band = inputs.corpus ? inputs.corpus->band() : Band{},
          .save_interval = selection.save_interval,
          .deliveries = selection.deliveries.value_or(1),
          .reuse = selection.reuse.value_or(Usd{}),
          .threads = threads,
          .stop = std::move(stop)};
}

Result<unsigned> threads_of(const Context& context, const Arguments& arguments) {
  constexpr std::int64_t kMostThreads = 1024;
  const std::string* text = arguments.value("threads");
  if (text == nullptr) {
    return context.world->cores;
  }
  const Result<std::int64_t> threads = parse_count(*text);
  if (!threads || *threads < 1 || *threads > kMostThreads) {
    return fail({ErrorCode::invalid_input, "--threads", "\"" + *text + "\" is no number of threads", "1 to 1024"});
  }
  return static_cast<unsigned>(*threads);
}

/// The cheapest plan at a tenth to ten times the tokens.
std::vector<TokensPoint> curve_of(const PlanRequest& asked, const PlanSet& set) {
  if (!set.cheapest) {
    return {};
  }
  std::vector<double> tokens;
  for (const double factor : {0.1, 0.3, 1.0, 3.0, 10.0}) {
    tokens.push_back(factor * static_cast<double>(*asked.job.tokens));
  }
  return against_tokens(asked, set.plans[static_cast<std::size_t>(*set.cheapest - 1)], tokens);
}

}  // namespace

Result<Outcome> run_plan(const Context& asked_context, const Arguments& arguments) {
  Result<JobRequest> request = read_request(asked_context, arguments);
  if (!request) {
    return fail(request.error());
  }
  const Result<std::shared_ptr<const MergedBooks>> books = merged_books(asked_context, arguments);
  if (!books) {
    return fail(books.error());
  }
  const Context priced = *books == nullptr ? asked_context : on_catalog(asked_context, (*books)->catalog);
  const auto here = catalog_with_here(priced, arguments, request->target.system);
  if (!here) {
    return fail(here.error());
  }
  const Context context = *here == nullptr ? priced : on_catalog(priced, (*here)->catalog);
  if (request->model.empty()) {
    return fail({ErrorCode::usage, "model", "no model is named", "mekiki plan --help"});
  }
  const Result<unsigned> threads = threads_of(context, arguments);
  if (!threads) {
    return fail(threads.error());
  }
  PlanInputs inputs{.request = std::move(*request)};
  if (const Status status = read_inputs(inputs, context); !status) {
    return fail(at_origin(inputs.request, status.error()));
  }
  const PlanRequest asked = plan_request(inputs, *threads, context.world->interrupted);
  const Seconds start = context.world->clock->elapsed();
  Result<PlanSet> set = plan(asked);
  if (!set) {
    return fail(at_origin(inputs.request, set.error()));
  }
  PlanAnswer answer{.arch = asked.arch, .counts = count_weights(*asked.arch), .threads = *threads};
  answer.tokens = asked.job.tokens;
  answer.corpus = inputs.corpus;
  answer.filters = asked.filters;
  answer.job_file = {inputs.request.format, inputs.request.notes};
  answer.elapsed = context.world->clock->elapsed() - start;
  const Result<std::vector<ProviderFact>> facts = provider_facts(context);
  if (!facts) {
    return fail(facts.error());
  }
  answer.advice = advise_all(*set, asked, inputs.advice);
  answer.sensitivity = sensitivity_of(asked, *set);
  answer.curve = curve_of(asked, *set);
  answer.checklist = set->cheapest
                         ? checklist_of(set->plans[static_cast<std::size_t>(*set->cheapest - 1)], inputs.baselines)
                         : checklist_without_plan();
  if (set->cheapest) {
    const Plan& cheapest = set->plans[static_cast<std::size_t>(*set->cheapest - 1)];
    answer.checklist = answered(std::move(answer.checklist), cheapest.machine->system.provider, *facts);
  }
  std::optional<Usd> run_cost;
  if (set->cheapest) {
    run_cost = set->plans[static_cast<std::size_t>(*set->cheapest - 1)].cost->per_checkpoint();
  }
  answer.api =
      api_estimate(inputs.api_prices, Tokens{static_cast<double>(*asked.job.tokens)}, run_cost, context.envelope.as_of);
  answer.providers = context.catalog->providers;
  answer.matrix = evaluate_matrix(inputs.matrix, {&*set, answer.providers, &answer.api});
  answer.set = std::move(*set);
  // What has no price may fit, but nobody can say that it keeps to a budget.
  const bool unpriced_counts = !answer.filters.budget && !answer.set.unpriced_plans.empty();
  const bool nothing = answer.set.plans.empty() && !unpriced_counts;
  Outcome outcome = answer_with(
      context,
      answer.set.interrupted() ? ExitCode::interrupted
      : nothing                ? ExitCode::negative
                               : ExitCode::ok,
      [&] { return plan_text(answer, context.envelope.as_of, context.say); },
      [&] { return plan_json(answer, context.envelope, context.say); });
  if (*books != nullptr) {
    outcome.talk = books_talk(**books, context.say) + conflicts_text((*books)->conflicts, context.say);
  }
  return outcome;
}

}  // namespace mekiki
