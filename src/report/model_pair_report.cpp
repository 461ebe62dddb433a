// Two models side by side.
#include <algorithm>

#include "model/traits.h"
#include "report/display_width.h"
#include "report/fit_parts.h"
#include "report/model_report.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

enum class Form : std::uint8_t { count, work, bytes, gibibytes, text };

/// A figure of the JSON answer that two models are compared by.
struct ComparedFigure {
  std::string_view path;
  Message label;
  Form form;
};

constexpr ComparedFigure kFigures[] = {
    {"/family", Message::model_family, Form::text},
    {"/counts/trainable", Message::model_trainable, Form::count},
    {"/counts/stored", Message::model_stored, Form::count},
    {"/counts/mtp", Message::model_mtp, Form::count},
    {"/counts/vision", Message::model_vision, Form::count},
    {"/counts/active_per_token", Message::model_active, Form::count},
    {"/counts/matmul_per_token", Message::model_matmul, Form::count},
    {"/layer_count", Message::model_layers, Form::count},
    {"/hidden_size", Message::model_hidden_size, Form::count},
    {"/vocab_size", Message::model_vocab_size, Form::count},
    {"/flops_per_token/forward", Message::model_forward_work, Form::work},
    {"/flops_per_token/training", Message::model_training_work, Form::work},
    {"/kv_cache/bytes_per_token", Message::model_cache_per_token, Form::bytes},
    {"/kv_cache/gib", Message::model_cache_of_sequence, Form::gibibytes},
    {"/longest_sequence", Message::model_longest_sequence, Form::count},
    {"/sequence_length", Message::model_compared_at, Form::count},
};

const Json* value_at(const Json& object, std::string_view path) {
  const Json::json_pointer pointer{std::string(path)};
  return object.contains(pointer) && !object.at(pointer).is_null() ? &object.at(pointer) : nullptr;
}

std::string value_text(const Json* value, Form form, const Voice& say) {
  if (value == nullptr) {
    return std::string(say(Message::model_unknown));
  }
  switch (form) {
    case Form::count:
      return whole(value->get<std::int64_t>());
    case Form::work:
      return flops(Flops{value->get<double>()});
    case Form::bytes:
      return whole(static_cast<std::int64_t>(value->get<double>()));
    case Form::gibibytes:
      return gib(value->get<double>() * kGiB);
    case Form::text:
      return value->get<std::string>();
  }
  return {};
}

bool is_same(const Json* first, const Json* second) {
  return first == nullptr || second == nullptr ? first == second : *first == *second;
}

/// How many times the first the second is; unset where that says nothing.
std::optional<double> ratio_of(const Json* first, const Json* second) {
  if (first == nullptr || second == nullptr || !first->is_number() || !second->is_number() ||
      first->get<double>() == 0.0) {
    return std::nullopt;
  }
  return second->get<double>() / first->get<double>();
}

std::string difference_text(const Json* first, const Json* second, const Voice& say) {
  if (is_same(first, second)) {
    return "=";
  }
  const std::optional<double> ratio = ratio_of(first, second);
  return ratio ? "x " + significant(*ratio) : std::string(say(Message::model_differs));
}

/// The traits that the first has and the second lacks.
std::vector<ModelTrait> only_in(const ModelAnswer& first, const ModelAnswer& second) {
  const std::vector<ModelTrait> mine = traits_of(first.model.arch);
  const std::vector<ModelTrait> others = traits_of(second.model.arch);
  std::vector<ModelTrait> only;
  std::set_difference(mine.begin(), mine.end(), others.begin(), others.end(), std::back_inserter(only));
  return only;
}

std::string traits_text(const ModelAnswer& first, const ModelAnswer& second, const Voice& say) {
  std::string traits;
  for (const ModelTrait trait : only_in(first, second)) {
    traits += (traits.empty() ? "" : separator(say)) + spoken("trait", trait, say);
  }
  constexpr std::size_t kLineWidth = 100;
  return traits.empty() ? std::string()
                        : wrapped(say(Message::model_only_in, {{"model", first.model.arch.id}, {"traits", traits}}),
                                  kLineWidth,
                                  "  ") +
                              "\n";
}

// The report of one model calls it "layers", a list; the number of layers stands beside it here.
Json object_with_layer_count(const ModelAnswer& answer, const Voice& say) {
  Json object = model_object(answer, say);
  object["layer_count"] = answer.model.arch.layer_count();
  return object;
}

Json trait_names(const std::vector<ModelTrait>& traits) {
  Json names = Json::array();
  for (const ModelTrait trait : traits) {
    names.push_back(enum_name(trait));
  }
  return names;
}

}  // namespace

std::string model_pair_text(const ModelAnswer& first, const ModelAnswer& second, const Voice& say) {
  const Json left = object_with_layer_count(first, say);
  const Json right = object_with_layer_count(second, say);
  std::vector<std::vector<std::string>> rows;
  for (const ComparedFigure& figure : kFigures) {
    const Json* a = value_at(left, figure.path);
    const Json* b = value_at(right, figure.path);
    rows.push_back({std::string(say(figure.label)),
                    value_text(a, figure.form, say),
                    value_text(b, figure.form, say),
                    difference_text(a, b, say)});
  }
  const std::string text = table({{""},
                                  {first.model.arch.id, Align::right},
                                  {second.model.arch.id, Align::right},
                                  {std::string(say(Message::model_second_to_first))}},
                                 rows);
  const std::string traits = traits_text(first, second, say) + traits_text(second, first, say);
  return text + (traits.empty() ? "" : "\n" + traits);
}

Json model_pair_json(const ModelAnswer& first, const ModelAnswer& second, const Envelope& envelope, const Voice& say) {
  Json json = json_envelope(envelope);
  json["models"] = {object_with_layer_count(first, say), object_with_layer_count(second, say)};
  json["differences"] = Json::array();
  for (const ComparedFigure& figure : kFigures) {
    const Json* a = value_at(json["models"][0], figure.path);
    const Json* b = value_at(json["models"][1], figure.path);
    if (is_same(a, b)) {
      continue;
    }
    std::string key(figure.path.substr(1));
    std::replace(key.begin(), key.end(), '/', '.');
    Json difference = {{"key", key}, {"values", {a == nullptr ? Json() : *a, b == nullptr ? Json() : *b}}};
    if (const std::optional<double> ratio = ratio_of(a, b)) {
      difference["ratio"] = rounded(*ratio);
    }
    json["differences"].push_back(std::move(difference));
  }
  if (const auto mine = only_in(first, second), others = only_in(second, first); !mine.empty() || !others.empty()) {
    json["differences"].push_back({{"key", "unusual"}, {"values", {trait_names(mine), trait_names(others)}}});
  }
  return json;
}

}  // namespace mekiki
