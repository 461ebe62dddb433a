#include "validate/score.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace mekiki {
namespace {

constexpr std::int64_t kRowsOfAGroup = 3;
constexpr int kResamples = 2000;
constexpr double kPercent = 100.0;

std::vector<double> signed_errors(std::span<const ScoredRow> rows) {
  std::vector<double> errors;
  for (const ScoredRow& row : rows) {
    if (row.predicted) {
      errors.push_back(kPercent * (*row.predicted / row.measured - 1.0));
    }
  }
  return errors;
}

std::vector<double> absolute(std::vector<double> values) {
  std::transform(values.begin(), values.end(), values.begin(), [](double v) { return std::abs(v); });
  return values;
}

std::optional<double> share_in_band(std::span<const ScoredRow> rows) {
  double inside = 0, counted = 0;
  for (const ScoredRow& row : rows) {
    if (row.low && row.high) {
      counted += 1;
      inside += *row.low <= row.measured && row.measured <= *row.high ? 1 : 0;
    }
  }
  return counted > 0 ? std::optional<double>(kPercent * inside / counted) : std::nullopt;
}

std::optional<double> factor_of(std::span<const ScoredRow> rows) {
  std::vector<double> logs;
  for (const ScoredRow& row : rows) {
    if (row.predicted && *row.predicted > 0) {
      logs.push_back(std::abs(std::log(*row.predicted / row.measured)));
    }
  }
  const std::optional<double> middle = median(std::move(logs));
  return middle ? std::optional<double>(std::exp(*middle)) : std::nullopt;
}

Figures figures_of(std::span<const ScoredRow> rows, GroupStatistic statistic) {
  const std::vector<double> errors = signed_errors(rows);
  const std::vector<double> sizes = absolute(errors);
  return {.median_abs_error_pct = median(sizes),
          .mape_pct = mean(sizes),
          .bias_pct = statistic == GroupStatistic::median ? median(errors) : mean(errors),
          .in_band_pct = share_in_band(rows),
          .factor = factor_of(rows)};
}

std::optional<double> score_of(const Figures& figures, GroupStatistic statistic) {
  return statistic == GroupStatistic::median ? figures.median_abs_error_pct : figures.mape_pct;
}

template <class Take>
std::optional<double> mean_of(std::span<const GroupScore> groups, Take take) {
  std::vector<double> values;
  for (const GroupScore& group : groups) {
    if (const std::optional<double> value = take(group.figures)) {
      values.push_back(*value);
    }
  }
  return mean(values);
}

/// The next of a fixed sequence of well-mixed numbers (SplitMix64), so that every machine resamples alike.
std::uint64_t next_mixed(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::optional<Interval> bootstrap(const std::vector<double>& scores) {
  if (scores.size() < 2) {
    return std::nullopt;
  }
  std::uint64_t state = 0;
  std::vector<double> means;
  means.reserve(kResamples);
  for (int i = 0; i < kResamples; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < scores.size(); ++k) {
      sum += scores[next_mixed(state) % scores.size()];
    }
    means.push_back(sum / static_cast<double>(scores.size()));
  }
  std::sort(means.begin(), means.end());
  constexpr std::size_t kTail = kResamples / 40;  // 2.5 %
  return Interval{means[kTail], means[means.size() - 1 - kTail]};
}

GroupMeans means_over(std::span<const GroupScore> groups, GroupStatistic statistic) {
  GroupMeans means{.groups = static_cast<std::int64_t>(groups.size())};
  means.figures = {.median_abs_error_pct = mean_of(groups, [](const Figures& f) { return f.median_abs_error_pct; }),
                   .mape_pct = mean_of(groups, [](const Figures& f) { return f.mape_pct; }),
                   .bias_pct = mean_of(groups, [](const Figures& f) { return f.bias_pct; }),
                   .in_band_pct = mean_of(groups, [](const Figures& f) { return f.in_band_pct; }),
                   .factor = mean_of(groups, [](const Figures& f) { return f.factor; })};
  means.score_pct = score_of(means.figures, statistic);
  std::vector<double> scores;
  for (const GroupScore& group : groups) {
    if (const std::optional<double> value = score_of(group.figures, statistic)) {
      scores.push_back(*value);
    }
  }
  means.score_interval = bootstrap(scores);
  return means;
}

std::vector<ScoredRow> rows_of_group(std::span<const ScoredRow> rows, const std::string& group) {
  std::vector<ScoredRow> chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), [&](const ScoredRow& row) {
    return row.scorable() && row.label.group == group;
  });
  return chosen;
}

std::vector<std::string> group_names(std::span<const ScoredRow> rows) {
  std::vector<std::string> names;
  for (const ScoredRow& row : rows) {
    if (row.scorable() && std::find(names.begin(), names.end(), row.label.group) == names.end()) {
      names.push_back(row.label.group);
    }
  }
  return names;
}

}  // namespace

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Score score(std::span<const ScoredRow> rows, GroupStatistic statistic) {
  Score result{.statistic = statistic, .all_rows = figures_of(rows, statistic)};
  std::vector<GroupScore> answered, of_three;
  for (const std::string& name : group_names(rows)) {
    const std::vector<ScoredRow> members = rows_of_group(rows, name);
    GroupScore group{.group = name, .rows = static_cast<std::int64_t>(members.size())};
    group.predicted = std::count_if(members.begin(), members.end(), [](const ScoredRow& r) { return !!r.predicted; });
    group.figures = figures_of(members, statistic);
    result.scorable += group.rows;
    result.predicted += group.predicted;
    if (group.predicted > 0) {
      answered.push_back(group);
      if (group.rows >= kRowsOfAGroup) {
        of_three.push_back(group);
      }
    }
    result.groups.push_back(std::move(group));
  }
  result.all_groups = means_over(answered, statistic);
  result.groups_of_three = means_over(of_three, statistic);
  if (result.scorable > 0) {
    result.coverage_pct = kPercent * static_cast<double>(result.predicted) / static_cast<double>(result.scorable);
  }
  return result;
}

}  // namespace mekiki
