#include "report/fit_report.h"
#include "report/numbers.h"

namespace mekiki {

bool states_alone_too_large(const QuickAnswer& answer) {
  return answer.gpu != nullptr && quick_states(answer.question.first, answer.question.parameters) > answer.capacity;
}

namespace {

// A count says nothing of activations, so the quick rule can only rule out.
std::string quick_verdict(const QuickAnswer& answer, const Voice& say) {
  if (answer.gpu == nullptr) {
    return std::string(say(Message::quick_no_gpu));
  }
  const Message message = states_alone_too_large(answer) ? Message::quick_too_large : Message::quick_undecided;
  return say(message,
             {{"states", gib(quick_states(answer.question.first, answer.question.parameters))},
              {"gpu", std::string(answer.gpu->name)},
              {"capacity", capacity_gib(answer.capacity)}});
}

}  // namespace

std::string quick_text(const QuickAnswer& answer, const Voice& say) {
  std::string text = quick_rules_text(answer.question, say) + "\n" + quick_verdict(answer, say) + "\n";
  if (answer.tokens_were_given) {
    text += std::string(say(Message::fit_tokens_change_time)) + "\n";
  }
  return text + std::string(say(Message::quick_needs_config)) + "\n";
}

Json quick_json(const QuickAnswer& answer, const Envelope& envelope, const Voice& say) {
  Json json = json_envelope(envelope);
  add_unknown(json, "model", say(Message::quick_needs_config));
  if (states_alone_too_large(answer)) {
    json["verdict"] = enum_name(Verdict::does_not_fit);
  } else {
    add_unknown(json, "verdict", quick_verdict(answer, say));
  }
  add_unknown(json, "oom_probability", say(Message::quick_needs_config));
  if (answer.gpu != nullptr) {
    json["gpu"] = answer.gpu->id;
    json["capacity_gib"] = json_gib(answer.capacity);
  } else {
    add_unknown(json, "gpu", say(Message::quick_no_gpu));
    add_unknown(json, "capacity_gib", say(Message::quick_no_gpu));
  }
  for (const char* key : {"memory", "categories_gib", "peak_moment", "largest", "step"}) {
    add_unknown(json, key, say(Message::quick_needs_config));
  }
  add_quick_rules(json, answer.question);
  json["not_modelled"] = Json::array({say(Message::quick_needs_config)});
  json["warnings"] = answer.tokens_were_given ? Json::array({say(Message::fit_tokens_change_time)}) : Json::array();
  return json;
}

}  // namespace mekiki
