#include "report/quick_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "program/optimizer_state.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr Name kAsStated = "as_stated";

bool same_bytes(const QuickRule& a, const QuickRule& b) {
  return a.weights == b.weights && a.gradients == b.gradients && a.optimizer_states == b.optimizer_states &&
         a.master_weights == b.master_weights;
}

double bytes(Dtype dtype) {
  return bytes_per_element(dtype) / kByte;
}

std::string stack_message(Name stack) {
  std::string id = "stack." + std::string(stack);
  std::replace(id.begin(), id.end(), '-', '_');
  return id;
}

Json rule_json(const QuickRule& rule, double parameters) {
  const Bytes states = quick_states(rule, parameters);
  return {{"stack", rule.stack},
          {"parameters", rounded(parameters)},
          {"bytes_per_parameter",
           {{"weights", rule.weights},
            {"gradients", rule.gradients},
            {"optimizer_states", rule.optimizer_states},
            {"master_weights", rule.master_weights},
            {"total", rule.bytes_per_parameter()}}},
          {"gib", rounded(states / kGiB)},
          {"gb", rounded(states / kGB)}};
}

// The asked rule, then the others.
std::vector<QuickRule> in_order(const QuickQuestion& question) {
  std::vector<QuickRule> rules = {question.first};
  for (const QuickRule& rule : quick_rules()) {
    if (!same_bytes(rule, question.first)) {
      rules.push_back(rule);
    }
  }
  return rules;
}

std::string parts(const QuickRule& rule) {
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  return number(rule.weights) + " + " + number(rule.gradients) + " + " + number(rule.optimizer_states) + " + " +
         number(rule.master_weights);
}

}  // namespace

QuickRule quick_rule_of(const ResolvedJob& job) {
  QuickRule rule{.stack = kAsStated, .weights = bytes(job.dtypes.weights)};
  if (!trains_adapters_only(job.method)) {
    rule.gradients = bytes(job.dtypes.gradients);
    rule.optimizer_states = optimizer_state_bytes(job.optimizer, job.dtypes.optimizer_states);
    rule.master_weights = job.dtypes.master_weights ? bytes(Dtype::fp32) : 0.0;
  } else if (job.quantization == Quantization::int8) {
    rule.weights = bytes(Dtype::int8);
  } else if (job.quantization != Quantization::none) {
    rule.weights = bytes(Dtype::nf4);
  }
  const auto rules = quick_rules();
  const auto known =
      std::find_if(rules.begin(), rules.end(), [&](const QuickRule& other) { return same_bytes(rule, other); });
  return known == rules.end() ? rule : *known;
}

QuickRule usual_quick_rule() {
  return quick_rules().front();
}

void add_quick_rules(Json& object, const QuickQuestion& question) {
  const std::vector<QuickRule> rules = in_order(question);
  object["quick_rule"] = rule_json(rules.front(), question.parameters);
  Json others = Json::array();
  for (std::size_t i = 1; i < rules.size(); ++i) {
    others.push_back(rule_json(rules[i], question.parameters));
  }
  object["quick_rules"] = std::move(others);
}

std::string quick_rules_text(const QuickQuestion& question, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const QuickRule& rule : in_order(question)) {
    const Bytes states = quick_states(rule, question.parameters);
    rows.push_back({gib_number(states),
                    significant(states / kGB),
                    fmt::format("{:.4g}", rule.bytes_per_parameter()),
                    parts(rule),
                    std::string(say(message_of(stack_message(rule.stack))))});
  }
  return say(Message::quick_title, {{"parameters", short_count(question.parameters)}}) + "\n" +
         table({{"GiB", Align::right},
                {"GB", Align::right},
                {std::string(say(Message::quick_bytes)), Align::right},
                {std::string(say(Message::quick_parts))},
                {std::string(say(Message::quick_stack))}},
               rows,
               "  ");
}

}  // namespace mekiki
