#include "validate/score.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

ScoredRow row(const char* group, double measured, std::optional<double> predicted, Confidence c = Confidence::high) {
  ScoredRow r{.label = {.group = group, .confidence = c}, .measured = measured, .predicted = predicted};
  if (predicted) {
    r.low = *predicted * 0.9;
    r.high = *predicted * 1.1;
  }
  return r;
}

// Errors by hand: group a +10 %, -20 %, +30 %; group b +100 % alone; group c one of three refused, errors 0 and +50 %.
std::vector<ScoredRow> hand_made() {
  return {row("a", 10, 11),
          row("a", 10, 8),
          row("a", 10, 13),
          row("a", 10, 1000, Confidence::low),
          row("b", 10, 20),
          row("c", 10, 10),
          row("c", 10, 15),
          row("c", 10, std::nullopt)};
}

TEST(Score, MedianOfEachGroupThenMeanOverGroupsOfThree) {
  const Score s = score(hand_made(), GroupStatistic::median);
  ASSERT_EQ(s.groups.size(), 3U);
  EXPECT_NEAR(*s.groups[0].figures.median_abs_error_pct, 20, 1e-9);
  EXPECT_NEAR(*s.groups[0].figures.mape_pct, 20, 1e-9);
  EXPECT_NEAR(*s.groups[0].figures.bias_pct, 10, 1e-9);
  EXPECT_NEAR(*s.groups[2].figures.median_abs_error_pct, 25, 1e-9);
  EXPECT_EQ(s.groups_of_three.groups, 2);
  EXPECT_NEAR(*s.groups_of_three.score_pct, (20 + 25) / 2.0, 1e-9);
  EXPECT_EQ(s.all_groups.groups, 3);
  EXPECT_NEAR(*s.all_groups.score_pct, (20 + 100 + 25) / 3.0, 1e-9);
}

TEST(Score, MeanStatisticAveragesWithinGroups) {
  const Score s = score(hand_made(), GroupStatistic::mean);
  EXPECT_NEAR(*s.groups[0].figures.bias_pct, 20 / 3.0, 1e-9);
  EXPECT_NEAR(*s.groups_of_three.score_pct, (20 + 25) / 2.0, 1e-9);
}

TEST(Score, CoverageCountsHighAndMediumRowsOnly) {
  const Score s = score(hand_made(), GroupStatistic::median);
  EXPECT_EQ(s.scorable, 7);
  EXPECT_EQ(s.predicted, 6);
  EXPECT_NEAR(*s.coverage_pct, 600 / 7.0, 1e-9);
}

TEST(Score, ShareInBandAndFactor) {
  // Bands are 0.9 to 1.1 of the prediction: 10 lies in 9.9..12.1, not in 7.2..8.8, not in 11.7..14.3.
  const Score s = score(hand_made(), GroupStatistic::median);
  EXPECT_NEAR(*s.groups[0].figures.in_band_pct, 100 / 3.0, 1e-9);
  EXPECT_NEAR(*s.groups[0].figures.factor, 1.25, 1e-9);  // |ln| of 1.1, 0.8, 1.3: the middle one is ln(1 / 0.8)
}

TEST(Score, IntervalIsReproducibleAndHoldsTheScore) {
  const Score a = score(hand_made(), GroupStatistic::median), b = score(hand_made(), GroupStatistic::median);
  ASSERT_TRUE(a.all_groups.score_interval);
  EXPECT_EQ(a.all_groups.score_interval->low, b.all_groups.score_interval->low);
  EXPECT_LE(a.all_groups.score_interval->low, *a.all_groups.score_pct);
  EXPECT_GE(a.all_groups.score_interval->high, *a.all_groups.score_pct);
  EXPECT_LT(a.all_groups.score_interval->low, a.all_groups.score_interval->high);
}

TEST(Score, RefusingRowsCannotPushAGroupOut) {
  const std::vector<ScoredRow> rows{row("x", 1, 3), row("x", 1, std::nullopt), row("x", 1, std::nullopt)};
  EXPECT_EQ(score(rows, GroupStatistic::median).groups_of_three.groups, 1);
}

TEST(Score, NothingGivesNothing) {
  const Score s = score({}, GroupStatistic::median);
  EXPECT_FALSE(s.groups_of_three.score_pct);
  EXPECT_FALSE(s.coverage_pct);
  EXPECT_FALSE(s.all_rows.mape_pct);
}

}  // namespace
}  // namespace mekiki
