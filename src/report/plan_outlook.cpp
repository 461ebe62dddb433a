#include "report/plan_outlook.h"

#include <algorithm>
#include <utility>

#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 110;

std::string line(std::string_view text) {
  return wrapped(text, kLineWidth, "  ") + "\n";
}

std::string range(const std::string& p50, const std::string& p90) {
  return p50 + " - " + p90;
}

double dollars(Usd amount) {
  return rounded(amount / kUsd);
}

Json rank_json(const std::optional<std::int64_t>& rank) {
  return rank ? Json(*rank) : Json(nullptr);
}

std::string changed_choice(const Sensitivity& row, const Voice& say) {
  std::string text;
  for (const auto& [rank, message] : {std::pair{row.cheapest_at_low, Message::plan_cheaper_at_low},
                                      std::pair{row.cheapest_at_high, Message::plan_cheaper_at_high}}) {
    if (rank) {
      text += (text.empty() ? "" : separator(say)) + say(message, {{"rank", std::to_string(*rank)}});
    }
  }
  return text;
}

}  // namespace

std::string curve_text(const PlanAnswer& answer, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const TokensPoint& point : answer.curve) {
    rows.push_back({short_count(point.tokens),
                    range(duration(point.p50, say), duration(point.p90, say)),
                    point.cost_p50 ? range(usd(*point.cost_p50), usd(*point.cost_p90)) : "-"});
  }
  return rows.empty() ? ""
                      : "\n" + line(say(Message::plan_curve, {{"rank", std::to_string(*answer.set.cheapest)}})) +
                            table({{std::string(say(Message::column_tokens)), Align::right},
                                   {std::string(say(Message::column_time))},
                                   {std::string(say(Message::column_cost))}},
                                  rows,
                                  "  ");
}

std::string sensitivity_text(const PlanAnswer& answer, const Voice& say) {
  constexpr std::size_t kShown = 6;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(answer.sensitivity.size(), kShown); ++i) {
    const Sensitivity& row = answer.sensitivity[i];
    rows.push_back({spoken("input", row.input, say), usd(row.at_low), usd(row.at_high), changed_choice(row, say)});
  }
  if (rows.empty()) {
    return "";
  }
  const std::optional<Sensitivity> open = open_choice(answer.sensitivity);
  return "\n" + line(say(Message::plan_sensitivity, {{"rank", std::to_string(*answer.set.cheapest)}})) +
         table({{""},
                {std::string(say(Message::column_at_low)), Align::right},
                {std::string(say(Message::column_at_high)), Align::right},
                {""}},
               rows,
               "  ") +
         line(open
                  ? say(Message::plan_choice_open,
                        {{"input", spoken("input", open->input, say)}, {"measure", spoken("settle", open->input, say)}})
                  : std::string(say(Message::plan_choice_holds)));
}

Json sensitivity_json(const PlanAnswer& answer) {
  Json rows = Json::array();
  for (const Sensitivity& row : answer.sensitivity) {
    rows.push_back({{"input", enum_name(row.input)},
                    {"cost_at_low", dollars(row.at_low)},
                    {"cost_at_high", dollars(row.at_high)},
                    {"cheapest_at_low", rank_json(row.cheapest_at_low)},
                    {"cheapest_at_high", rank_json(row.cheapest_at_high)}});
  }
  const std::optional<Sensitivity> open = open_choice(answer.sensitivity);
  return {{"rank", rank_json(answer.set.cheapest)},
          {"currency", "USD"},
          {"rows", std::move(rows)},
          {"choice_open", open.has_value()},
          {"settled_by", open ? Json(enum_name(open->input)) : Json(nullptr)}};
}

Json curve_json(const PlanAnswer& answer) {
  Json points = Json::array();
  for (const TokensPoint& point : answer.curve) {
    Json json = {{"tokens", rounded(point.tokens)},
                 {"hours", {{"p50", rounded(point.p50 / kHour)}, {"p90", rounded(point.p90 / kHour)}}}};
    if (point.cost_p50) {
      json["cost"] = {{"p50", dollars(*point.cost_p50)}, {"p90", dollars(*point.cost_p90)}, {"currency", "USD"}};
    } else {
      add_unknown(json, "cost", "the plan has no price");
    }
    points.push_back(std::move(json));
  }
  return {{"rank", rank_json(answer.set.cheapest)}, {"points", std::move(points)}};
}

}  // namespace mekiki
