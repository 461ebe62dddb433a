#include "report/plan_parts.h"

#include <algorithm>

#include "report/numbers.h"

namespace mekiki {
namespace {

// Of the values that are plain numbers, these are counts; the others are shares.
bool is_plain_number(Name key) {
  return key == "interruptions";
}

struct ValueText {
  Name key;
  const Voice& say;

  std::string operator()(std::int64_t value) const { return whole(value); }
  std::string operator()(double value) const { return is_plain_number(key) ? significant(value) : percent(value); }
  std::string operator()(Bytes value) const { return gib(value); }
  std::string operator()(Seconds value) const { return duration(value, say); }
  std::string operator()(Usd value) const { return usd(value); }
  std::string operator()(Date value) const { return format_date(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const Phrase& value) const { return std::string(say(message_of(value.message))); }
  std::string operator()(const Count& value) const { return significant(value.value); }
};

Json value_json(const AdviceValue& value) {
  struct ToJson {
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(double number) const { return rounded(number); }
    Json operator()(Bytes bytes) const { return json_gib(bytes); }
    Json operator()(Seconds seconds) const { return rounded(seconds / kSecond); }
    Json operator()(Usd amount) const { return rounded(amount / kUsd); }
    Json operator()(Date date) const { return format_date(date); }
    Json operator()(const std::string& text) const { return text; }
    Json operator()(const Phrase& phrase) const { return phrase.message.substr(phrase.message.rfind('.') + 1); }
    Json operator()(const Count& count) const { return rounded(count.value); }
  };
  return std::visit(ToJson{}, value.value);
}

// The unit belongs to the key.
std::string value_key(const AdviceValue& value) {
  std::string key(value.key);
  if (std::holds_alternative<Bytes>(value.value)) {
    key += "_gib";
  } else if (std::holds_alternative<Seconds>(value.value)) {
    key = key == "hours" ? "time_s" : key + "_s";
  }
  return key;
}

DecidingFact memory_fact(const Plan& plan, const Voice& say) {
  const Gpu& gpu = *plan.machine->gpu;
  return {.rank = plan.rank,
          .what = say(Message::fact_gpu_memory, {{"gpu", std::string(gpu.name)}}),
          .value = capacity_gib(gpu.memory_reported),
          .source = std::string(gpu.source),
          .status = std::string(enum_name(gpu.status))};
}

DecidingFact network_fact(const Plan& plan, const Voice& say) {
  const System& system = plan.machine->system;
  const BytesPerSecond rate = plan.machine->cluster.network_per_gpu;
  return {.rank = plan.rank,
          .what = say(Message::fact_network, {{"system", std::string(system.id)}}),
          .value = figure(rate / kGBPerSecond) + " GB/s",
          .source = std::string(system.source),
          .status = std::string(plan.machine->cluster.network_assumed ? "assumed" : enum_name(system.status))};
}

DecidingFact price_fact(const Plan& plan, const Voice& say) {
  const Price& price = plan.price->offer.price;
  return {.rank = plan.rank,
          .what = say(Message::fact_price,
                      {{"system", std::string(plan.machine->system.id)}, {"kind", std::string(enum_name(price.kind))}}),
          .value = usd(plan.price->offer.per_node() * kHour),
          .source = std::string(price.source),
          .date = format_date(price.as_of),
          .age_days = plan.price->age_days,
          .status = std::string(enum_name(plan.price->staleness))};
}

}  // namespace

std::string filled(std::string_view message, const std::vector<AdviceValue>& values, const Voice& say) {
  std::vector<Filling> fillings;
  for (const AdviceValue& value : values) {
    fillings.push_back({value.key, std::visit(ValueText{value.key, say}, value.value)});
  }
  return say(message_of(message), fillings);
}

std::string advice_text(const Advice& advice, const Voice& say) {
  return filled("advice." + std::string(enum_name(advice.id)), advice.values, say);
}

Json values_json(const std::vector<AdviceValue>& values) {
  Json json = Json::object();
  for (const AdviceValue& value : values) {
    json[value_key(value)] = value_json(value);
  }
  return json;
}

std::vector<std::int64_t> best_ranks(const PlanSet& set) {
  std::vector<std::int64_t> ranks;
  const auto smallest = set.smallest ? std::optional(set.smallest->rank) : std::nullopt;
  for (const std::optional<std::int64_t>& rank : {set.cheapest, set.fastest, smallest}) {
    if (rank && std::find(ranks.begin(), ranks.end(), *rank) == ranks.end()) {
      ranks.push_back(*rank);
    }
  }
  return ranks;
}

const Plan& plan_of_rank(const PlanSet& set, std::int64_t rank) {
  return set.plans[static_cast<std::size_t>(rank - 1)];
}

std::vector<DecidingFact> deciding_facts(const PlanSet& set, const Voice& say) {
  std::vector<DecidingFact> facts;
  for (const std::int64_t rank : best_ranks(set)) {
    const Plan& plan = plan_of_rank(set, rank);
    facts.push_back(memory_fact(plan, say));
    if (plan.nodes > 1) {
      facts.push_back(network_fact(plan, say));
    }
    if (plan.price != nullptr) {
      facts.push_back(price_fact(plan, say));
    }
  }
  return facts;
}

std::string machine_text(const Plan& plan, const Voice& say) {
  return say(Message::plan_machine,
             {{"gpus", std::to_string(plan.gpus())},
              {"gpu", std::string(plan.machine->gpu->id)},
              {"nodes", std::to_string(plan.nodes)},
              {"system", std::string(plan.machine->system.id)}});
}

}  // namespace mekiki
