#include "validate/summary_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace mekiki {
namespace {

using Cells = std::vector<std::string>;

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "n/a";
}

std::string factor_cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "n/a";
}

/// First column to the left, numbers to the right.
std::string table(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line = fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i) {
      line += fmt::format("  {:>{}}", row[i], widths[i]);
    }
    text += line + "\n";
  }
  return text;
}

Cells figure_cells(std::string name, std::int64_t rows, std::int64_t predicted, const Figures& figures) {
  return {std::move(name),
          std::to_string(rows),
          std::to_string(predicted),
          cell(figures.median_abs_error_pct),
          cell(figures.mape_pct),
          cell(figures.bias_pct),
          cell(figures.in_band_pct),
          factor_cell(figures.factor)};
}

}  // namespace

std::string score_text(const Score& score) {
  std::vector<Cells> rows{
      {"group", "rows", "predicted", "median_abs_error_pct", "mape_pct", "bias_pct", "in_band_pct", "factor"}};
  for (const GroupScore& group : score.groups) {
    rows.push_back(figure_cells(group.group, group.rows, group.predicted, group.figures));
  }
  rows.push_back(figure_cells("mean_over_groups", score.scorable, score.predicted, score.all_groups.figures));
  rows.push_back(
      figure_cells("mean_over_groups_of_three", score.scorable, score.predicted, score.groups_of_three.figures));
  std::string text = table(rows);
  if (score.groups_of_three.score_interval) {
    text += fmt::format("score_interval_pct {:.1f} {:.1f}\n",
                        score.groups_of_three.score_interval->low,
                        score.groups_of_three.score_interval->high);
  }
  return text + "coverage_pct " + cell(score.coverage_pct) + "\n";
}

std::string verdicts_text(const std::array<VerdictCounts, EnumNames<RealOutcome>::value.size()>& counts) {
  Cells heading{"verdicts"};
  heading.insert(heading.end(), EnumNames<Verdict>::value.begin(), EnumNames<Verdict>::value.end());
  heading.emplace_back("unanswered");
  std::vector<Cells> rows{heading};
  for (std::size_t real = 0; real < counts.size(); ++real) {
    Cells row{std::string(EnumNames<RealOutcome>::value[real])};
    for (const std::int64_t count : counts[real].by_verdict) {
      row.push_back(std::to_string(count));
    }
    row.push_back(std::to_string(counts[real].unanswered));
    rows.push_back(std::move(row));
  }
  return table(rows);
}

}  // namespace mekiki
