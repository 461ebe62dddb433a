#include "job/length_quantiles.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(LengthQuantiles, AreReadInRisingOrder) {
  const LengthQuantiles read = parse_length_quantiles("50%:400, 0.9:1k, 100%:4096").value();
  EXPECT_EQ(read, (LengthQuantiles{{0.5, 400}, {0.9, 1024}, {1.0, 4096}}));
  for (const char* text : {"", "400", "50%:", "50%:400, 40%:500", "50%:400, 60%:300", "0:10", "2:10", "50%:-1"}) {
    EXPECT_FALSE(parse_length_quantiles(text)) << text;
  }
}

// One quantile: lengths are spread evenly from nothing to it. Mean 1/2, longest of n draws n / (n + 1) of it.
TEST(LengthQuantiles, EvenlySpreadLengths) {
  const LengthQuantiles even{{1.0, 1000000}};
  constexpr std::int64_t kLongest = 1000000;
  EXPECT_NEAR(mean_length(even, kLongest), 5e5, 5e2);
  EXPECT_NEAR(mean_of_longest(even, kLongest, 1), 5e5, 5e2);
  EXPECT_NEAR(mean_of_longest(even, kLongest, 4), 8e5, 5e2);
  EXPECT_NEAR(attended_length(even, kLongest), 2.0 / 3.0 * 1e6, 1e3);  // E[x^2] / E[x]
}

TEST(LengthQuantiles, WhatIsLongerIsCut) {
  const LengthQuantiles all_long{{1e-9, 5000}, {1.0, 5000}};
  EXPECT_DOUBLE_EQ(mean_length(all_long, 2048), 2048.0);
  EXPECT_DOUBLE_EQ(mean_of_longest(all_long, 2048, 8), 2048.0);
  EXPECT_DOUBLE_EQ(attended_length(all_long, 2048), 2048.0);
}

TEST(LengthQuantiles, LargerBatchesArePaddedMore) {
  const LengthQuantiles skewed{{0.5, 300}, {0.9, 1500}, {1.0, 8000}};
  double before = mean_length(skewed, 4096);
  for (const std::int64_t samples : {2, 4, 8, 64}) {
    const double padded = mean_of_longest(skewed, 4096, samples);
    EXPECT_GT(padded, before);
    EXPECT_LE(padded, 4096.0);
    before = padded;
  }
}

}  // namespace
}  // namespace mekiki
