#include "validate/summary_json.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace mekiki {

OrderedJson number_json(double value) {
  if (!std::isfinite(value)) {
    return nullptr;
  }
  if (value == 0.0) {
    return 0.0;
  }
  constexpr int kDigits = 6;
  const double scale = std::pow(10.0, kDigits - 1 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

OrderedJson number_json(const std::optional<double>& value) {
  return value ? number_json(*value) : OrderedJson(nullptr);
}

OrderedJson figures_json(const Figures& figures) {
  return {{"median_abs_error_pct", number_json(figures.median_abs_error_pct)},
          {"mape_pct", number_json(figures.mape_pct)},
          {"bias_pct", number_json(figures.bias_pct)},
          {"in_band_pct", number_json(figures.in_band_pct)},
          {"factor", number_json(figures.factor)}};
}

namespace {

OrderedJson means_json(const GroupMeans& means) {
  OrderedJson json{{"groups", means.groups}, {"score_pct", number_json(means.score_pct)}};
  if (means.score_interval) {
    json["score_interval_pct"] = {number_json(means.score_interval->low), number_json(means.score_interval->high)};
  } else {
    json["score_interval_pct"] = nullptr;
  }
  json.update(figures_json(means.figures));
  return json;
}

}  // namespace

void add_score(OrderedJson& answer, const Score& score) {
  OrderedJson groups = OrderedJson::array();
  for (const GroupScore& group : score.groups) {
    OrderedJson json{{"group", group.group}, {"rows", group.rows}, {"predicted", group.predicted}};
    json.update(figures_json(group.figures));
    groups.push_back(std::move(json));
  }
  answer["groups"] = std::move(groups);
  answer["mean_over_groups"] = means_json(score.all_groups);
  answer["mean_over_groups_of_three"] = means_json(score.groups_of_three);
  answer["scorable_rows"] = score.scorable;
  answer["predicted_rows"] = score.predicted;
  answer["coverage_pct"] = number_json(score.coverage_pct);
  answer["all_rows"] = figures_json(score.all_rows);
}

OrderedJson refusals_json(std::span<const Error> refusals) {
  std::map<std::string, std::int64_t> counts;
  for (const Error& error : refusals) {
    ++counts[describe(error)];
  }
  std::vector<std::pair<std::string, std::int64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  OrderedJson json = OrderedJson::array();
  for (const auto& [reason, count] : sorted) {
    json.push_back({{"reason", reason}, {"rows", count}});
  }
  return json;
}

}  // namespace mekiki
