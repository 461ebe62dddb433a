#include <algorithm>

#include <fmt/format.h>

#include "report/api_report.h"
#include "report/corpus_report.h"
#include "report/fit_parts.h"
#include "report/matrix_report.h"
#include "report/plan_outlook.h"
#include "report/plan_parts.h"
#include "report/run_json.h"

namespace mekiki {
namespace {

double dollars(Usd amount) {
  return rounded(amount / kUsd);
}

Json cost_json(const CostReport& cost) {
  return {{"p50", dollars(cost.total)}, {"p90", dollars(cost.total_p90)}, {"currency", "USD"}};
}

// Terms are of one delivered checkpoint, so that they add up to the total of one.
Json per_checkpoint_json(const CostReport& cost, const Voice& say) {
  const double share = 1.0 / static_cast<double>(cost.deliveries);
  Json terms;
  Json bases;
  for (std::size_t i = 0; i < kCostTerms; ++i) {
    const CostTerm& term = cost.terms[i];
    const std::string key(EnumNames<CostTermKind>::value[i]);
    if (term.amount) {
      terms[key] = dollars(*term.amount * share);
    } else {
      add_unknown(terms, key, spoken("cost_reason", term.reason, say));
    }
    bases[key] = name(term.basis);
    if (term.amount && term.reason != CostReason::none) {
      bases[key + "_note"] = spoken("cost_reason", term.reason, say);
    }
  }
  return {{"total", dollars(cost.per_checkpoint())},
          {"total_without_reuse", dollars(cost.total_without_reuse * share)},
          {"total_without_assumed", dollars(cost.total_without_assumed * share)},
          {"complete", cost.complete},
          {"delivered", cost.deliveries},
          {"terms", std::move(terms)},
          {"terms_basis", std::move(bases)}};
}

Json price_json(const PriceChoice& choice) {
  const Price& price = choice.offer.price;
  Json json = {{"id", price.id},
               {"per_node_hour", rounded(choice.offer.per_node() / kUsdPerHour)},
               {"per_node_hour_low", rounded(choice.low / kUsdPerHour)},
               {"per_node_hour_high", rounded(choice.high / kUsdPerHour)},
               {"source", price.source},
               {"date", format_date(price.as_of)},
               {"age_days", choice.age_days},
               {"staleness", enum_name(choice.staleness)}};
  if (price.commitment) {
    json["term"] = fmt::format("{:.6g} d", *price.commitment / kDay);
  } else {
    add_unknown(json, "term", "the price book does not say");
  }
  json["kind"] = enum_name(price.kind);
  if (price.tenancy == Tenancy::unknown) {
    add_unknown(json, "tenancy", "the price book does not say");
  } else {
    json["tenancy"] = enum_name(price.tenancy);
  }
  json["join"] = enum_name(choice.offer.quality);
  return json;
}

std::vector<std::string> texts_of(const PlanAnswer& answer, std::int64_t rank, bool warnings, const Voice& say) {
  std::vector<std::string> texts;
  for (const Advice& advice : answer.advice) {
    if (rank > 0 && advice.rank == rank && (advice.level != AdviceLevel::note) == warnings) {
      texts.push_back(advice_text(advice, say));
    }
  }
  return texts;
}

void add_commitment(Json& json, const Plan& plan) {
  if (!plan.commitment) {
    return;
  }
  const Commitment& bound = *plan.commitment;
  Json item = Json::object();
  if (bound.bound) {
    item["hours"] = rounded(*bound.bound / kHour);
    item["idle_hours"] = rounded(*bound.idle / kHour);
    item["idle_cost"] = dollars(*bound.idle_cost);
    item["idle_hours_all_paid_by_this_run"] = bound.assumes_full_use;
  } else {
    add_unknown(item, "hours", "the price book does not say");
    add_unknown(item, "idle_hours", "the price book does not say");
    add_unknown(item, "idle_cost", "the price book does not say");
  }
  if (bound.break_even_utilisation) {
    item["break_even_utilisation"] = rounded(*bound.break_even_utilisation);
  } else {
    add_unknown(item, "break_even_utilisation", "no on-demand price of the system is known");
  }
  json["commitment"] = std::move(item);
}

void add_cost(Json& json, const Plan& plan, const Voice& say) {
  if (plan.cost && plan.price != nullptr) {
    json["cost"] = cost_json(*plan.cost);
    json["cost_per_successful_checkpoint"] = per_checkpoint_json(*plan.cost, say);
    json["price"] = price_json(*plan.price);
    return;
  }
  for (const char* key : {"cost", "cost_per_successful_checkpoint", "price"}) {
    add_unknown(json, key, say(Message::plan_no_price));
  }
}

Json kind_json(const PlanAnswer& answer, Name provider) {
  const std::optional<ProviderClass> kind = provider_kind(answer.providers, provider);
  return kind ? Json(enum_name(*kind)) : Json(nullptr);
}

Json one_plan_json(const PlanAnswer& answer, const Plan& plan, const Voice& say) {
  const System& system = plan.machine->system;
  Json layout = layout_json(plan.candidate.layout);
  layout["micro_batch_size"] = plan.candidate.micro_batch_size;
  layout["global_batch_size"] = plan.candidate.global_batch_size;
  layout["activation_recompute"] = enum_name(plan.candidate.recompute);
  Json json = {{"rank", plan.rank},
               {"system", system.id},
               {"provider", system.provider},
               {"provider_kind", kind_json(answer, system.provider)},
               {"gpu", plan.machine->gpu->id},
               {"nodes", plan.nodes},
               {"gpus", plan.gpus()},
               {"framework", plan.framework},
               {"layout", std::move(layout)},
               {"memory", memory_json(plan.memory)},
               {"capacity_gib", json_gib(plan.capacity)},
               {"verdict", enum_name(plan.verdict)},
               {"oom_probability", rounded(plan.oom_probability)},
               {"step", step_json(plan.time, plan.gpus(), plan.job.tokens)},
               {"hours", {{"p50", rounded(plan.wall_p50() / kHour)}, {"p90", rounded(plan.wall_p90() / kHour)}}}};
  if (plan.waiting) {
    json["hours_waiting"] = rounded(*plan.waiting / kHour);
  } else {
    add_unknown(json, "hours_waiting", "nobody said how long capacity takes; counted as none");
  }
  add_cost(json, plan, say);
  add_commitment(json, plan);
  json["saves"] = {{"interval_s", rounded(plan.run.save_interval / kSecond)},
                   {"bytes", rounded(plan.checkpoint.resume / kByte)},
                   {"count", plan.run.saves}};
  json["interruptions"] = rounded(plan.run.interruptions);
  json["runnable_by"] = plan.runnable_by;
  json["reasons"] = texts_of(answer, plan.rank, false, say);
  json["warnings"] = texts_of(answer, plan.rank, true, say);
  return json;
}

Json rank_json(const std::optional<std::int64_t>& rank) {
  return rank ? Json(*rank) : Json(nullptr);
}

Json smallest_json(const SmallestProof& smallest) {
  Json proof = Json::object();
  if (!smallest.next_smaller) {
    add_unknown(proof, "next_smaller", "nothing smaller was looked at");
    add_unknown(proof, "term", "nothing smaller was looked at");
    add_unknown(proof, "short_by_gib", "nothing smaller was looked at");
    return {{"rank", smallest.rank}, {"proof", std::move(proof)}};
  }
  const Rejection& next = *smallest.next_smaller;
  proof["next_smaller"] = {{"system", next.machine->system.id},
                           {"gpu", next.machine->gpu->id},
                           {"nodes", next.nodes},
                           {"gpus", next.nodes * next.machine->system.gpus}};
  proof["reason"] = enum_name(next.kind);
  if (smallest.miss) {
    proof["term"] = enum_name(smallest.miss->largest);
    proof["short_by_gib"] = json_gib(smallest.miss->short_by);
    proof["device_gib"] = json_gib(smallest.miss->device);
    proof["capacity_gib"] = json_gib(smallest.miss->capacity);
    proof["framework"] = smallest.miss->framework;
    proof["layout"] = layout_json(smallest.miss->candidate.layout);
  } else {
    proof["term"] = enum_name(next.kind);
    add_unknown(proof, "short_by_gib", "memory is not the reason");
  }
  return {{"rank", smallest.rank}, {"proof", std::move(proof)}};
}

Json facts_json(const PlanSet& set, const Voice& say) {
  Json facts = Json::array();
  for (const DecidingFact& fact : deciding_facts(set, say)) {
    Json json = {{"rank", fact.rank}, {"fact", fact.what}, {"value", fact.value}, {"source", fact.source}};
    if (fact.age_days) {
      json["date"] = fact.date;
      json["age_days"] = *fact.age_days;
    } else {
      add_unknown(json, "date", "the catalogue row has no date");
    }
    json["status"] = fact.status;
    facts.push_back(std::move(json));
  }
  return facts;
}

Json checklist_json(const ChecklistEntry& entry, const Voice& say) {
  Json json = {{"id", entry.id},
               {"group", enum_name(entry.group)},
               {"question", say(message_of("checklist." + std::string(entry.id)))}};
  if (entry.answer.empty()) {
    add_unknown(json, "answer", say(Message::checklist_unanswered));
  } else {
    json["answer"] = entry.answer;
    json["source"] = entry.source;
  }
  json["evidence"] = enum_name(entry.evidence);
  json["levels"] = Json::array();
  for (const Baseline* level : entry.levels) {
    json["levels"].push_back({{"system", level->system},
                              {"test", level->test},
                              {"value", rounded(level->value)},
                              {"unit", level->unit},
                              {"source", level->source}});
  }
  return json;
}

void add_rest(Json& json, const PlanAnswer& answer, const Voice& say) {
  json["rejected"] = Json::array();
  for (const RejectedClass& rejected : answer.set.rejected) {
    json["rejected"].push_back({{"class", enum_name(rejected.kind)},
                                {"limit", spoken("rejected", rejected.kind, say)},
                                {"count", rejected.count}});
  }
  json["excluded_frameworks"] = Json::array();
  for (const ExcludedFramework& excluded : answer.set.excluded) {
    json["excluded_frameworks"].push_back({{"framework", excluded.framework}, {"reason", describe(excluded.why)}});
  }
  json["advice"] = Json::array();
  for (const Advice& advice : answer.advice) {
    json["advice"].push_back({{"id", enum_name(advice.id)},
                              {"level", enum_name(advice.level)},
                              {"rank", advice.rank},
                              {"text", advice_text(advice, say)},
                              {"values", values_json(advice.values)}});
  }
  json["checklist"] = Json::array();
  for (const ChecklistEntry& entry : answer.checklist) {
    json["checklist"].push_back(checklist_json(entry, say));
  }
}

Json defaults_json(const PlanDefaults& defaults) {
  Json json = Json::object();
  if (defaults.batch_assumed) {
    json["global_batch_size"] = defaults.global_batch_size;
  }
  if (defaults.max_gpus_assumed) {
    json["max_gpus"] = defaults.max_gpus;
  }
  Json kinds = Json::array();
  for (const PriceKind kind : defaults.price_kinds) {
    kinds.push_back(enum_name(kind));
  }
  json["price_kinds"] = std::move(kinds);
  return json;
}

Json stats_json(const PlanAnswer& answer) {
  const PlanStats& stats = answer.set.stats;
  const double seconds = answer.elapsed / kSecond;
  Json json = {{"layouts_considered", stats.considered},
               {"layouts_evaluated", stats.evaluated},
               {"layouts_pruned", stats.pruned},
               {"layouts_over_memory", stats.over_memory},
               {"layouts_with_uneven_batch", stats.uneven_batch},
               {"seconds", rounded(seconds)}};
  if (seconds > 0.0) {
    json["evaluated_per_second_per_core"] =
        rounded(static_cast<double>(stats.evaluated) / seconds / static_cast<double>(answer.threads));
  } else {
    add_unknown(json, "evaluated_per_second_per_core", "the clock did not move");
  }
  json["threads"] = answer.threads;
  return json;
}

}  // namespace

Json plan_json(const PlanAnswer& answer, const Envelope& envelope, const Voice& say) {
  const PlanSet& set = answer.set;
  Json json = json_envelope(envelope);
  json["model"] = answer.arch->id;
  json["interrupted"] = set.interrupted();
  json["defaults_used"] = defaults_json(set.defaults);
  add_job_file(json, answer.job_file);
  add_corpus(json, answer.corpus, say);
  json["offers"] = {{"elsewhere", set.offers.elsewhere},
                    {"unknown_left_out", set.offers.unknown_left_out},
                    {"unknown_kept", set.offers.unknown_kept}};
  json["plans"] = Json::array();
  for (const Plan& plan : set.plans) {
    json["plans"].push_back(one_plan_json(answer, plan, say));
  }
  json["unpriced_plans"] = Json::array();
  for (const Plan& plan : set.unpriced_plans) {
    json["unpriced_plans"].push_back(one_plan_json(answer, plan, say));
  }
  json["facts"] = facts_json(set, say);
  json["pareto"] = set.pareto;
  json["cheapest"] = rank_json(set.cheapest);
  json["fastest"] = rank_json(set.fastest);
  if (set.smallest) {
    json["smallest"] = smallest_json(*set.smallest);
  } else {
    add_unknown(json, "smallest", say(Message::plan_nothing_fits));
  }
  json["against_tokens"] = curve_json(answer);
  add_api_estimate(json, answer.api, say);
  json["sensitivity"] = sensitivity_json(answer);
  add_rest(json, answer, say);
  json["decision_matrix"] = matrix_json(answer, say);
  json["stats"] = stats_json(answer);
  return json;
}

}  // namespace mekiki
