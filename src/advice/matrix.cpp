#include "advice/matrix.h"

#include <algorithm>
#include <map>
#include <set>

#include "advice/ranked.h"
#include "base/csv.h"
#include "base/words.h"

namespace mekiki {
namespace {

std::string gpu_of(const Plan& plan) {
  return std::string(plan.machine->gpu->id);
}

std::string provider_of(const Plan& plan) {
  return std::string(plan.machine->system.provider);
}

Result<MatrixRule> read_row(const CsvRow& row, std::string_view subject) {
  const auto bad = [&](const std::string& message) {
    return fail({ErrorCode::invalid_input, std::string(subject) + ":" + std::to_string(row.line), message, ""});
  };
  const std::optional<MatrixNeed> need = enum_from_name<MatrixNeed>(row.fields[0]);
  if (!need) {
    return bad("\"" + row.fields[0] + "\" is no need");
  }
  MatrixRule rule{.need = *need, .gpus = words_of(row.fields[1])};
  for (const std::string& word : words_of(row.fields[2])) {
    const std::optional<ProviderClass> kind = enum_from_name<ProviderClass>(word);
    if (!kind) {
      return bad("\"" + word + "\" is no kind of provider");
    }
    rule.provider_kinds.push_back(*kind);
  }
  return rule;
}

class Matrix {
 public:
  explicit Matrix(const MatrixInputs& inputs) : inputs_(inputs), best_(cheapest_fitting(*inputs.set)) {}

  MatrixCell cell(const MatrixRule& rule) const {
    if (best_ == nullptr) {
      return {.rule = rule};
    }
    switch (rule.need) {
      case MatrixNeed::larger_model:
        return larger_model(rule);
      case MatrixNeed::proven:
        return proven(rule);
      case MatrixNeed::cheapest_adapter:
        return cheapest_adapter(rule);
      case MatrixNeed::several_nodes:
        return several_nodes(rule);
      case MatrixNeed::quick_trial:
        return quick_trial(rule);
      case MatrixNeed::procurement:
        return procurement(rule);
    }
    return {.rule = rule};
  }

 private:
  const PlanSet& set() const { return *inputs_.set; }

  static MatrixCell judged(
      const MatrixRule& rule, bool agrees, MatrixReason reason, const Plan& plan, std::vector<AdviceValue> values) {
    const MatrixVerdict verdict = agrees ? MatrixVerdict::agrees : MatrixVerdict::differs;
    return {.rule = rule, .verdict = verdict, .reason = reason, .rank = plan.rank, .values = std::move(values)};
  }

  static std::vector<AdviceValue> choice_values(const Plan& plan) {
    return {{"gpu", gpu_of(plan)}, {"gpus", plan.gpus()}, {"cost", plan.cost->per_checkpoint()}};
  }

  /// Of the plans that `among_them` takes the one on fewest GPUs, then the cheapest; null: none.
  template <class Among>
  const Plan* fewest_gpus(const Among& among_them) const {
    const Plan* fewest = nullptr;
    for (const Plan& plan : set().plans) {
      const bool fits = plan.verdict == Verdict::fits && plan.cost && among_them(plan);
      if (fits && (fewest == nullptr || plan.gpus() < fewest->gpus() ||
                   (plan.gpus() == fewest->gpus() && plan.cost->per_checkpoint() < fewest->cost->per_checkpoint()))) {
        fewest = &plan;
      }
    }
    return fewest;
  }

  MatrixCell by_gpu(const MatrixRule& rule, const Plan& choice, const Plan* usual, MatrixReason otherwise) const {
    std::vector<AdviceValue> values = choice_values(choice);
    if (among(rule.gpus, gpu_of(choice))) {
      return judged(rule, true, MatrixReason::in_the_list, choice, std::move(values));
    }
    if (usual == nullptr) {
      return judged(rule, false, MatrixReason::no_usual_plan, choice, std::move(values));
    }
    values.insert(
        values.end(),
        {{"usual_gpu", gpu_of(*usual)}, {"usual_gpus", usual->gpus()}, {"usual_cost", usual->cost->per_checkpoint()}});
    return judged(rule, false, otherwise, choice, std::move(values));
  }

  MatrixCell larger_model(const MatrixRule& rule) const {
    const Plan* choice = fewest_gpus([](const Plan&) { return true; });
    const Plan* usual = fewest_gpus([&](const Plan& plan) { return among(rule.gpus, gpu_of(plan)); });
    return by_gpu(rule, *choice, usual, MatrixReason::fewer_gpus);
  }

  MatrixCell cheapest_adapter(const MatrixRule& rule) const {
    if (!trains_adapters_only(best_->job.method)) {
      return {.rule = rule,
              .reason = MatrixReason::no_adapters,
              .values = {{"method", Phrase{"method." + std::string(enum_name(best_->job.method))}}}};
    }
    const Plan* usual = cheapest_fitting(set(), [&](const Plan& plan) { return among(rule.gpus, gpu_of(plan)); });
    return by_gpu(rule, *best_, usual, MatrixReason::cheaper);
  }

  /// The GPU with the most priced offers that have a plan; the cheapest of those with equally many.
  MatrixCell proven(const MatrixRule& rule) const {
    std::map<std::string, std::set<const PriceChoice*>> offers;
    for (const Plan& plan : set().plans) {
      offers[gpu_of(plan)].insert(plan.price);
    }
    const auto count = [&](const Plan& plan) { return static_cast<std::int64_t>(offers[gpu_of(plan)].size()); };
    std::int64_t most = 0;
    for (const Plan& plan : set().plans) {
      most = plan.verdict == Verdict::fits ? std::max(most, count(plan)) : most;
    }
    const Plan* choice = cheapest_fitting(set(), [&](const Plan& plan) { return count(plan) == most; });
    const Plan* usual = cheapest_fitting(set(), [&](const Plan& plan) { return among(rule.gpus, gpu_of(plan)); });
    MatrixCell cell = by_gpu(rule, *choice, usual, MatrixReason::more_offers);
    cell.values.push_back({"offers", most});
    if (usual != nullptr) {
      cell.values.push_back({"usual_offers", count(*usual)});
    }
    return cell;
  }

  MatrixCell several_nodes(const MatrixRule& rule) const {
    if (best_->nodes == 1) {
      return {
          .rule = rule, .reason = MatrixReason::one_node_does, .rank = best_->rank, .values = choice_values(*best_)};
    }
    const bool stated = !best_->machine->cluster.network_assumed;
    return judged(
        rule,
        stated,
        stated ? MatrixReason::network_stated : MatrixReason::network_assumed,
        *best_,
        {{"system", std::string(best_->machine->system.id)}, {"nodes", best_->nodes}, {"share", best_->share_waiting}});
  }

  MatrixCell quick_trial(const MatrixRule& rule) const {
    if (inputs_.api == nullptr || !inputs_.api->tuned) {
      return {.rule = rule, .reason = MatrixReason::api_unknown};
    }
    const ApiCost& api = *inputs_.api->tuned;
    const Usd cost = best_->cost->per_checkpoint();
    const bool less = api.low < cost;
    return judged(rule,
                  less,
                  less ? MatrixReason::api_costs_less : MatrixReason::api_costs_more,
                  *best_,
                  {{"low", api.low}, {"high", api.high}, {"cost", cost}});
  }

  MatrixCell procurement(const MatrixRule& rule) const {
    const auto is_usual = [&](const Plan& plan) {
      const std::optional<ProviderClass> kind = provider_kind(inputs_.providers, provider_of(plan));
      return kind && among(rule.provider_kinds, *kind);
    };
    const std::optional<ProviderClass> kind = provider_kind(inputs_.providers, provider_of(*best_));
    std::vector<AdviceValue> values{
        {"provider", provider_of(*best_)},
        {"kind", Phrase{"provider_class." + std::string(kind ? enum_name(*kind) : "unknown")}},
        {"gpu", gpu_of(*best_)},
        {"cost", best_->cost->per_checkpoint()}};
    if (is_usual(*best_)) {
      return judged(rule, true, MatrixReason::usual_provider, *best_, std::move(values));
    }
    const Plan* usual = cheapest_fitting(set(), is_usual);
    if (usual == nullptr) {
      return judged(rule, false, MatrixReason::no_usual_plan, *best_, std::move(values));
    }
    values.insert(values.end(),
                  {{"usual_provider", provider_of(*usual)}, {"usual_cost", usual->cost->per_checkpoint()}});
    return judged(rule, false, MatrixReason::other_provider, *best_, std::move(values));
  }

  const MatrixInputs& inputs_;
  const Plan* best_;
};

}  // namespace

Result<std::vector<MatrixRule>> read_matrix(std::string_view csv, std::string_view subject) {
  constexpr std::string_view kColumns[] = {"need", "gpus", "provider_kinds", "note"};
  const Result<CsvTable> table = parse_csv_of(kColumns, "the decision matrix", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<MatrixRule> rules;
  std::set<MatrixNeed> seen;
  for (const CsvRow& row : table->rows) {
    Result<MatrixRule> rule = read_row(row, subject);
    if (!rule) {
      return fail(rule.error());
    }
    if (!seen.insert(rule->need).second) {
      return fail({ErrorCode::invalid_input,
                   std::string(subject) + ":" + std::to_string(row.line),
                   row.fields[0] + " stands there twice",
                   ""});
    }
    rules.push_back(std::move(*rule));
  }
  return seen.size() == EnumNames<MatrixNeed>::value.size()
             ? Result<std::vector<MatrixRule>>(std::move(rules))
             : fail({ErrorCode::invalid_input, std::string(subject), "a need lacks", "there are six"});
}

std::vector<MatrixCell> evaluate_matrix(std::span<const MatrixRule> rules, const MatrixInputs& inputs) {
  const Matrix matrix(inputs);
  std::vector<MatrixCell> cells;
  for (const MatrixRule& rule : rules) {
    cells.push_back(matrix.cell(rule));
  }
  return cells;
}

std::optional<ProviderClass> provider_kind(std::span<const Provider> providers, std::string_view id) {
  const auto found =
      std::find_if(providers.begin(), providers.end(), [&](const Provider& provider) { return provider.id == id; });
  return found == providers.end() ? std::nullopt : std::optional(found->provider_class);
}

}  // namespace mekiki
