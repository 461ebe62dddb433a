// Scores of predictions against measurements, as docs/validation.md states them.
//
// Per source group the median (memory) or mean (rate) of |predicted / measured - 1| over rows of confidence high or
// medium (or none stated), then the unweighted mean over groups of three rows or more. Beside it: all groups, the
// factor exp(median |ln ratio|), the bias, the share inside the 80 % band, the coverage (predicted / scorable rows),
// and a bootstrap interval over groups. Percentages are of the measured value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "validate/rows.h"

namespace mekiki {

/// One row with a measured number. `predicted`, `low` and `high` are unset where the row was refused.
struct ScoredRow {
  RowLabel label;
  double measured = 0;  // above 0
  std::optional<double> predicted, low, high;

  bool scorable() const { return label.confidence != Confidence::low; }
};

enum class GroupStatistic : std::uint8_t { median, mean };

/// Figures over predicted rows; unset where there is none.
struct Figures {
  std::optional<double> median_abs_error_pct, mape_pct;
  std::optional<double> bias_pct;  // the same statistic as the score, of the signed error
  std::optional<double> in_band_pct;
  std::optional<double> factor;  // exp(median |ln(predicted / measured)|)
};

struct GroupScore {
  std::string group;
  std::int64_t rows = 0;       // scorable
  std::int64_t predicted = 0;  // of them
  Figures figures;
};

struct Interval {
  double low = 0, high = 0;
};

/// Unweighted means over groups. A group counts by its scorable rows, whatever became of them, as long as one was
/// predicted: refusing rows cannot push a group out.
struct GroupMeans {
  std::int64_t groups = 0;
  Figures figures;                         // each the mean over groups
  std::optional<double> score_pct;         // the statistic of the kind
  std::optional<Interval> score_interval;  // middle 95 % of resampled groups
};

struct Score {
  GroupStatistic statistic = GroupStatistic::median;
  std::vector<GroupScore> groups;  // in order of first appearance
  GroupMeans all_groups, groups_of_three;
  std::int64_t scorable = 0, predicted = 0;
  std::optional<double> coverage_pct;
  Figures all_rows;  // every predicted row with a measurement, low confidence too
};

Score score(std::span<const ScoredRow> rows, GroupStatistic statistic);

/// The lower middle for an even count is averaged with the upper; unset for nothing.
std::optional<double> median(std::vector<double> values);
std::optional<double> mean(std::span<const double> values);

}  // namespace mekiki
