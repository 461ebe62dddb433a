#include "report/api_report.h"

#include "report/numbers.h"

namespace mekiki {
namespace {

std::string row_name(const ApiPrice& price) {
  return price.provider + " " + price.model;
}

std::string range_text(Message message, const ApiCost& cost, const Voice& say) {
  return say(message,
             {{"low", usd(cost.low)},
              {"high", usd(cost.high)},
              {"cheapest", row_name(cost.cheapest)},
              {"dearest", row_name(cost.dearest)},
              {"rows", std::to_string(cost.rows)}});
}

Json row_json(const ApiPrice& price) {
  return {{"provider", price.provider},
          {"model", price.model},
          {"date", format_date(*price.as_of)},
          {"source", price.source}};
}

void add_cost(Json& json, const char* key, const std::optional<ApiCost>& cost, const Voice& say) {
  if (!cost) {
    add_unknown(json, key, say(Message::api_no_price));
    return;
  }
  json[key] = {{"low", rounded(cost->low / kUsd)},
               {"high", rounded(cost->high / kUsd)},
               {"currency", "USD"},
               {"rows", cost->rows},
               {"cheapest", row_json(cost->cheapest)},
               {"dearest", row_json(cost->dearest)}};
}

}  // namespace

std::string api_text(const ApiEstimate& estimate, const Voice& say) {
  std::string text;
  const auto add = [&](Message message, const std::optional<ApiCost>& cost) {
    if (cost) {
      text += " " + range_text(message, *cost, say);
    }
  };
  add(Message::api_tuned, estimate.tuned);
  add(Message::api_read, estimate.read);
  add(Message::api_written, estimate.written);
  if (text.empty()) {
    return "";
  }
  if (estimate.break_even_read) {
    text += " " + say(Message::api_break_even, {{"tokens", short_count(*estimate.break_even_read / kToken)}});
  }
  return say(Message::api_title, {{"tokens", short_count(estimate.tokens / kToken)}}) + text + " " +
         std::string(say(Message::api_mind));
}

void add_api_estimate(Json& json, const ApiEstimate& estimate, const Voice& say) {
  Json item = {{"tokens", rounded(estimate.tokens / kToken)}, {"quality", "not measured"}};
  add_cost(item, "tuned", estimate.tuned, say);
  add_cost(item, "read", estimate.read, say);
  add_cost(item, "written", estimate.written, say);
  if (estimate.break_even_read) {
    item["break_even_read_tokens"] = rounded(*estimate.break_even_read / kToken);
  } else {
    add_unknown(item, "break_even_read_tokens", say(Message::api_no_price));
  }
  json["api_estimate"] = std::move(item);
}

}  // namespace mekiki
