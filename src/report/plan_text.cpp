#include <algorithm>

#include "report/api_report.h"
#include "report/corpus_report.h"
#include "report/fit_parts.h"
#include "report/matrix_report.h"
#include "report/numbers.h"
#include "report/plan_outlook.h"
#include "report/plan_parts.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 110;
constexpr std::size_t kShownPlans = 12;
constexpr std::size_t kShownUnpriced = 5;

std::string line(std::string_view text) {
  return wrapped(text, kLineWidth, "  ") + "\n";
}

std::string item(std::string_view text) {
  return "- " + wrapped(text, kLineWidth - 2, "  ") + "\n";
}

std::string range(const std::string& p50, const std::string& p90) {
  return p50 + " - " + p90;
}

// The ranks worth a line: the best of each kind, then by rank.
std::vector<std::int64_t> shown_ranks(const PlanSet& set) {
  std::vector<std::int64_t> ranks = best_ranks(set);
  for (const Plan& plan : set.plans) {
    if (ranks.size() < kShownPlans && std::find(ranks.begin(), ranks.end(), plan.rank) == ranks.end()) {
      ranks.push_back(plan.rank);
    }
  }
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

std::string marks(const PlanSet& set, std::int64_t rank, const Voice& say) {
  std::string text;
  const auto mark = [&](bool is_best, Message message) {
    if (is_best) {
      text += (text.empty() ? "" : separator(say)) + std::string(say(message));
    }
  };
  mark(set.cheapest == rank, Message::plan_cheapest);
  mark(set.fastest == rank, Message::plan_fastest);
  mark(set.smallest && set.smallest->rank == rank, Message::plan_smallest);
  return text;
}

std::string layout_cell(const Plan& plan, const Voice& say) {
  std::string text =
      layout_text(plan.candidate.layout, say) + ", micro_batch_size " + std::to_string(plan.candidate.micro_batch_size);
  if (plan.candidate.recompute != ActivationRecompute::none) {
    text += ", recompute " + std::string(enum_name(plan.candidate.recompute));
  }
  return text;
}

std::vector<std::string> row_of(const PlanSet& set, const Plan& plan, const Voice& say) {
  const std::string cost = plan.cost ? range(usd(plan.cost->total), usd(plan.cost->total_p90)) : "-";
  const std::string age = plan.price == nullptr
                              ? "-"
                              : std::string(enum_name(plan.price->offer.price.kind)) + " " +
                                    say(Message::plan_days, {{"days", std::to_string(plan.price->age_days)}});
  return {plan.rank > 0 ? std::to_string(plan.rank) : "-",
          std::to_string(plan.nodes) + " x " + std::string(plan.machine->system.id),
          std::to_string(plan.gpus()) + " x " + std::string(plan.machine->gpu->id),
          plan.framework,
          spoken("verdict", plan.verdict, say),
          range(duration(plan.wall_p50(), say), duration(plan.wall_p90(), say)),
          cost,
          percent(plan.time.mfu),
          age,
          marks(set, plan.rank, say)};
}

std::string plans_table(const std::vector<std::vector<std::string>>& rows, const Voice& say) {
  return table({{"#", Align::right},
                {std::string(say(Message::column_system))},
                {std::string(say(Message::column_gpus))},
                {std::string(say(Message::column_framework))},
                {std::string(say(Message::column_verdict))},
                {std::string(say(Message::column_time))},
                {std::string(say(Message::column_cost))},
                {"MFU", Align::right},
                {std::string(say(Message::column_price))},
                {""}},
               rows,
               "  ");
}

// The limits as they were understood.
std::string limits_text(const PlanFilters& filters, const Voice& say) {
  std::string limits;
  const auto add = [&](std::string_view key, const std::string& value) {
    limits += (limits.empty() ? "" : separator(say)) + std::string(key) + " " + value;
  };
  if (filters.deadline) {
    add("deadline", duration(*filters.deadline, say));
  }
  if (filters.budget) {
    add("budget", usd(*filters.budget));
  }
  if (filters.max_gpus) {
    add("max_gpus", whole(*filters.max_gpus));
  }
  return limits.empty() ? "" : line(say(Message::plan_limits, {{"limits", limits}}));
}

std::string heading(const PlanAnswer& answer, Date as_of, const Voice& say) {
  const PlanSet& set = answer.set;
  std::string text = line(say(Message::plan_heading,
                              {{"model", answer.arch->id},
                               {"weights", short_count(static_cast<double>(answer.counts.trainable))},
                               {"tokens", answer.tokens ? whole(*answer.tokens) : "?"},
                               {"plans", std::to_string(set.plans.size())},
                               {"date", format_date(as_of)}}));
  if (answer.corpus) {
    text += line(corpus_sentence(answer.corpus, say));
  }
  if (set.defaults.batch_assumed) {
    text += line(say(Message::plan_batch_assumed, {{"batch", whole(set.defaults.global_batch_size)}}));
  }
  if (set.defaults.max_gpus_assumed) {
    text += line(say(Message::plan_max_gpus_assumed, {{"gpus", whole(set.defaults.max_gpus)}}));
  }
  if (!answer.filters.regions.empty() || !answer.filters.tenancies.empty()) {
    text += line(say(Message::plan_offers,
                     {{"elsewhere", whole(set.offers.elsewhere)},
                      {"unknown_left_out", whole(set.offers.unknown_left_out)},
                      {"unknown_kept", whole(set.offers.unknown_kept)}}));
  }
  if (set.interrupted()) {
    text += line(say(Message::plan_interrupted, {{"left", whole(set.stats.left)}}));
  }
  return text + limits_text(answer.filters, say) + "\n";
}

std::string best_text(const PlanAnswer& answer, const Voice& say) {
  std::string text;
  for (const std::int64_t rank : best_ranks(answer.set)) {
    const Plan& plan = plan_of_rank(answer.set, rank);
    text += line(say(Message::plan_best,
                     {{"which", marks(answer.set, rank, say)},
                      {"rank", std::to_string(rank)},
                      {"machine", machine_text(plan, say)},
                      {"framework", plan.framework},
                      {"layout", layout_cell(plan, say)},
                      {"device", gib(plan.memory.device.mid)},
                      {"capacity", capacity_gib(plan.capacity)},
                      {"verdict", spoken("verdict", plan.verdict, say)}}));
  }
  return text;
}

// The terms of the cheapest plan, with what is unknown or assumed said.
std::string cost_text(const PlanSet& set, const Voice& say) {
  if (!set.cheapest) {
    return "";
  }
  const CostReport& cost = *plan_of_rank(set, *set.cheapest).cost;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < kCostTerms; ++i) {
    const CostTerm& term = cost.terms[i];
    rows.push_back({spoken("cost_term", static_cast<CostTermKind>(i), say),
                    term.amount ? usd(*term.amount) : "?",
                    std::string(say(message_of("basis." + std::string(name(term.basis))))),
                    term.reason == CostReason::none ? "" : spoken("cost_reason", term.reason, say)});
  }
  rows.push_back({std::string(say(Message::plan_total)), usd(cost.total), "", ""});
  return "\n" +
         line(say(Message::plan_cost_title,
                  {{"rank", std::to_string(*set.cheapest)},
                   {"per_checkpoint", usd(cost.per_checkpoint())},
                   {"without_assumed", usd(cost.total_without_assumed / static_cast<double>(cost.deliveries))}})) +
         table({{""}, {"", Align::right}, {""}, {""}}, rows, "  ");
}

std::string proof_text(const PlanSet& set, const Voice& say) {
  if (!set.smallest || !set.smallest->next_smaller) {
    return "";
  }
  const Rejection& next = *set.smallest->next_smaller;
  const std::string machine = std::to_string(next.nodes) + " x " + std::string(next.machine->system.id);
  if (!set.smallest->miss) {
    return line(say(Message::plan_proof_other, {{"machine", machine}, {"reason", spoken("rejected", next.kind, say)}}));
  }
  const MemoryMiss& miss = *set.smallest->miss;
  return line(say(Message::plan_proof,
                  {{"machine", machine},
                   {"device", gib(miss.device)},
                   {"capacity", capacity_gib(miss.capacity)},
                   {"short_by", gib(miss.short_by)},
                   {"term", spoken("category", miss.largest, say)}}));
}

std::string unpriced_text(const PlanSet& set, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(set.unpriced_plans.size(), kShownUnpriced); ++i) {
    rows.push_back(row_of(set, set.unpriced_plans[i], say));
  }
  if (rows.empty()) {
    return "";
  }
  return "\n" + line(say(Message::plan_unpriced, {{"count", std::to_string(set.unpriced_plans.size())}})) +
         plans_table(rows, say);
}

std::string rejected_text(const PlanSet& set, const Voice& say) {
  std::string text;
  for (const RejectedClass& rejected : set.rejected) {
    text += (text.empty() ? "" : separator(say)) + spoken("rejected", rejected.kind, say) + " " + whole(rejected.count);
  }
  return text.empty() ? "" : "\n" + line(say(Message::plan_rejected, {{"classes", text}}));
}

std::string facts_text(const PlanSet& set, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const DecidingFact& fact : deciding_facts(set, say)) {
    rows.push_back({"#" + std::to_string(fact.rank), fact.what, fact.value, fact.date, fact.status});
  }
  return rows.empty()
             ? ""
             : "\n" + line(say(Message::plan_facts)) + table({{""}, {""}, {"", Align::right}, {""}, {""}}, rows, "  ");
}

// What is known of a question, and the span of levels that others accept or measured.
std::string known_text(const ChecklistEntry& entry, const Voice& say) {
  std::string text;
  if (!entry.answer.empty()) {
    text += say(Message::checklist_claimed, {{"answer", entry.answer}});
  }
  if (!entry.levels.empty()) {
    text += say(Message::checklist_levels,
                {{"low", figure(entry.levels.front()->value)},
                 {"high", figure(entry.levels.back()->value)},
                 {"unit", entry.levels.front()->unit},
                 {"count", std::to_string(entry.levels.size())}});
  }
  return text;
}

std::string checklist_text(const PlanAnswer& answer, const Voice& say) {
  const std::string kind = provider_kind_text(answer, say);
  std::string text = "\n" + line(say(Message::plan_checklist)) + (kind.empty() ? "" : item(kind));
  for (const ChecklistEntry& entry : answer.checklist) {
    text += item(std::string(say(message_of("checklist." + std::string(entry.id)))) + known_text(entry, say));
  }
  return text;
}

}  // namespace

std::string plan_text(const PlanAnswer& answer, Date as_of, const Voice& say) {
  const PlanSet& set = answer.set;
  std::string text = heading(answer, as_of, say);
  std::vector<std::vector<std::string>> rows;
  for (const std::int64_t rank : shown_ranks(set)) {
    rows.push_back(row_of(set, plan_of_rank(set, rank), say));
  }
  text += rows.empty() ? line(say(Message::plan_nothing_fits)) : plans_table(rows, say) + "\n";
  text += best_text(answer, say) + proof_text(set, say) + cost_text(set, say) + curve_text(answer, say) +
          sensitivity_text(answer, say) + unpriced_text(set, say) + rejected_text(set, say);
  const std::vector<std::string> warnings = job_file_warnings(answer.job_file, say);
  if (!answer.advice.empty() || !warnings.empty()) {
    text += "\n" + line(say(Message::plan_advice));
    for (const std::string& warning : warnings) {
      text += item(warning);
    }
    for (const Advice& advice : answer.advice) {
      text += item((advice.rank > 0 ? "#" + std::to_string(advice.rank) + " " : "") + advice_text(advice, say));
    }
  }
  text += matrix_text(answer, say);
  const std::string api = api_text(answer.api, say);
  text += api.empty() ? "" : "\n" + line(api);
  return text + facts_text(set, say) + checklist_text(answer, say);
}

}  // namespace mekiki
