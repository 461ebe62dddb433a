#include "advice/workload.h"

#include <algorithm>

#include "advice/ranked.h"
#include "base/amount.h"
#include "base/csv.h"
#include "base/words.h"

namespace mekiki {
namespace {

Result<WorkloadRule> read_row(const CsvRow& row, std::string_view subject) {
  const auto& fields = row.fields;
  const auto bad = [&](std::string message) {
    return fail({ErrorCode::invalid_input, std::string(subject) + ":" + std::to_string(row.line), message, ""});
  };
  WorkloadRule rule{.workload = fields[0], .gpus = words_of(fields[4])};
  for (const std::string& word : words_of(fields[1])) {
    const std::optional<Method> method = enum_from_name<Method>(word);
    if (!method) {
      return bad("\"" + word + "\" is no method");
    }
    rule.methods.push_back(*method);
  }
  const Result<double> from = parse_number(fields[2]);
  const Result<double> to = parse_number(fields[3].empty() ? "0" : fields[3]);
  if (!from || !to || *from < 0 || (!fields[3].empty() && *to <= *from)) {
    return bad("weights_from and weights_to are no range");
  }
  rule.weights_from = *from;
  if (!fields[3].empty()) {
    rule.weights_to = *to;
  }
  if (!fields[5].empty()) {
    const Result<std::int64_t> most = parse_count(fields[5]);
    if (!most || *most < 1) {
      return bad("\"" + fields[5] + "\" is no number of GPUs");
    }
    rule.most_gpus_in_a_node = *most;
  }
  return rule.workload.empty() || rule.methods.empty() || rule.gpus.empty()
             ? Result<WorkloadRule>(bad("workload, methods and gpus must be there"))
             : Result<WorkloadRule>(std::move(rule));
}

class WorkloadAdviser {
 public:
  WorkloadAdviser(const PlanSet& set, const WorkloadRule& rule, const Plan& best)
      : set_(set), rule_(rule), best_(best), workload_{"workload." + rule.workload} {}

  std::vector<Advice> run() {
    hardware();
    size_of_node();
    return std::move(advice_);
  }

 private:
  bool is_usual(const Plan& plan) const { return among(rule_.gpus, std::string(plan.machine->gpu->id)); }

  void add(AdviceId id, std::vector<AdviceValue> values) {
    advice_.push_back({id, AdviceLevel::note, best_.rank, std::move(values)});
  }

  void hardware() {
    const std::string gpu(best_.machine->gpu->id);
    if (is_usual(best_)) {
      add(AdviceId::workload_agrees, {{"workload", workload_}, {"gpu", gpu}});
      return;
    }
    const Plan* usual = cheapest_fitting(set_, [&](const Plan& plan) { return is_usual(plan); });
    if (usual == nullptr) {
      add(AdviceId::workload_unavailable, {{"workload", workload_}, {"gpu", gpu}});
      return;
    }
    add(AdviceId::workload_differs,
        {{"workload", workload_},
         {"gpu", gpu},
         {"cost", best_.cost->per_checkpoint()},
         {"hours", best_.run.p50},
         {"usual_gpu", std::string(usual->machine->gpu->id)},
         {"usual_rank", usual->rank},
         {"usual_cost", usual->cost->per_checkpoint()},
         {"usual_time", usual->run.p50}});
  }

  /// A whole node where fewer GPUs do the job for less.
  void size_of_node() {
    if (!rule_.most_gpus_in_a_node || best_.gpus() > *rule_.most_gpus_in_a_node) {
      return;
    }
    constexpr std::int64_t kWholeNode = 8;
    const Plan* node = cheapest_fitting(set_, [&](const Plan& plan) { return plan.gpus() >= kWholeNode; });
    if (node != nullptr) {
      add(AdviceId::node_not_needed,
          {{"gpus", best_.gpus()},
           {"gpu", std::string(best_.machine->gpu->id)},
           {"cost", best_.cost->per_checkpoint()},
           {"node_system", std::string(node->machine->system.id)},
           {"node_cost", node->cost->per_checkpoint()}});
    }
  }

  const PlanSet& set_;
  const WorkloadRule& rule_;
  const Plan& best_;
  Phrase workload_;
  std::vector<Advice> advice_;
};

}  // namespace

Result<std::vector<WorkloadRule>> read_workload_rules(std::string_view csv, std::string_view subject) {
  constexpr std::string_view kColumns[] = {
      "workload", "methods", "weights_from", "weights_to", "gpus", "most_gpus_in_a_node", "note"};
  const Result<CsvTable> table = parse_csv_of(kColumns, "workloads", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<WorkloadRule> rules;
  for (const CsvRow& row : table->rows) {
    Result<WorkloadRule> rule = read_row(row, subject);
    if (!rule) {
      return fail(rule.error());
    }
    rules.push_back(std::move(*rule));
  }
  return rules;
}

const WorkloadRule* workload_of(std::span<const WorkloadRule> rules, Method method, double weights) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const WorkloadRule& rule) {
    return among(rule.methods, method) && weights >= rule.weights_from &&
           (!rule.weights_to || weights < *rule.weights_to);
  });
  return found == rules.end() ? nullptr : &*found;
}

std::vector<Advice> advise_workload(const PlanSet& set, std::span<const WorkloadRule> rules, double weights) {
  const Plan* best = cheapest_fitting(set);
  const WorkloadRule* rule = best != nullptr ? workload_of(rules, best->job.method, weights) : nullptr;
  return rule == nullptr ? std::vector<Advice>{} : WorkloadAdviser(set, *rule, *best).run();
}

}  // namespace mekiki
