#include "report/explain_parts.h"
#include "report/explain_report.h"
#include "report/fit_parts.h"

namespace mekiki {
namespace {

Json value_json(const std::variant<std::monostate, double, std::string>& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return Json(rounded(*number));
  }
  const auto* word = std::get_if<std::string>(&value);
  return word != nullptr ? Json(*word) : Json(nullptr);
}

Json input_json(const Input& input) {
  Json json = {{"name", input.name}};
  const auto* number = std::get_if<double>(&input.value);
  json["value"] = number != nullptr ? Json(rounded(*number)) : Json(std::get<std::string>(input.value));
  if (input.unit != Unit::none) {
    json["unit"] = enum_name(input.unit);
  }
  json["origin"] = enum_name(input.origin);
  if (!input.place.empty()) {
    json["place"] = input.place;
  }
  return json;
}

Json live_json(const LiveItem& item, const ResolvedJob& job, const Voice& say) {
  Json json = {{"name", item.name},
               {"category", enum_name(item.category)},
               {"place", enum_name(item.place)},
               {"part", enum_name(item.part)}};
  if (item.layer_kind >= 0) {
    json["layer_kind"] = item.layer_kind;
  }
  json["bytes"] = item.bytes / kByte;
  json["count"] = item.count;
  json["total_bytes"] = item.total() / kByte;
  json["size"] = size_text(item, job, say);
  return json;
}

Json part_json(const StepPart& part, const Voice& say) {
  Json json = {{"kind", enum_name(part.kind)}, {"name", part_name(part, say)}};
  if (part.kind == StepPartKind::op) {
    json["pass"] = enum_name(part.pass);
  }
  if (!part_place(part, say).empty()) {
    json["segment"] = enum_name(part.segment);
  }
  if (part.layer_kind >= 0) {
    json["layer_kind"] = part.layer_kind;
  }
  if (!work_text(part).empty()) {
    json["work"] = work_text(part);
  }
  json["seconds"] = rounded(part.once / kSecond);
  json["times"] = rounded(part.times);
  json["total_s"] = rounded(part.total() / kSecond);
  return json;
}

Json formulas_json(const std::vector<const FormulaRow*>& formulas, const Voice& say) {
  Json list = Json::array();
  for (const FormulaRow* row : formulas) {
    Json limits = Json::array();
    for (const Message limit : row->not_modelled) {
      limits.push_back(say(limit));
    }
    Json json = {{"name", row->id}, {"formula", formula_text(*row, say)}, {"where", row->where}};
    if (!row->source.empty()) {
      json["source"] = row->source;
    }
    json["not_modelled"] = std::move(limits);
    list.push_back(std::move(json));
  }
  return list;
}

Json explanation_json(const Explanation& e, const FitAnswer& fit, const ExplainAnswer& answer, const Voice& say) {
  Json json = {{"term", enum_name(e.term)}, {"name", term_name(e.term, say)}};
  json["value"] = value_json(e.value);
  if (json["value"].is_null()) {
    json["value_reason"] =
        fit.fit.time || e.term < Term::gemm ? no_verdict_reason(say) : std::string(say(message_of(fit.no_step_time)));
  }
  json["unit"] = enum_name(e.unit);
  json["formulas"] = formulas_json(formulas_of(answer.formulas, e.term), say);
  json["inputs"] = Json::array();
  for (const Input& input : e.inputs) {
    json["inputs"].push_back(input_json(input));
  }
  if (static_cast<std::size_t>(e.term) < kCategories || e.term == Term::host_memory) {
    json["live"] = Json::array();
    for (const LiveItem& item : e.live) {
      json["live"].push_back(live_json(item, fit.fit.job, say));
    }
  }
  if (e.term >= Term::gemm && e.term <= Term::other) {
    json["parts"] = Json::array();
    for (const StepPart& part : e.parts) {
      json["parts"].push_back(part_json(part, say));
    }
  }
  return json;
}

}  // namespace

Json with_explanations(Json fit_answer, const ExplainAnswer& answer, const FitAnswer& fit, const Voice& say) {
  Json list = Json::array();
  for (const Explanation& e : answer.explanations) {
    list.push_back(explanation_json(e, fit, answer, say));
  }
  fit_answer["explanations"] = std::move(list);
  Json statements = Json::array();
  for (const ProfileStatement& s : answer.statements) {
    statements.push_back({{"about", s.about}, {"source", s.source}, {"status", s.status}, {"file", s.file}});
  }
  fit_answer["profile_statements"] = std::move(statements);
  return fit_answer;
}

}  // namespace mekiki
