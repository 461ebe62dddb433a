#include "cost/commitment.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

PriceChoice price_of(PriceKind kind, double usd_per_hour) {
  PriceChoice choice;
  choice.offer.price.kind = kind;
  choice.offer.price.per_unit = usd_per_hour * kUsdPerHour;
  return choice;
}

TEST(CommitmentOf, CountsIdleHoursAndBreaksEvenAtTheRatioOfPrices) {
  PriceChoice reserved = price_of(PriceKind::reserved, 2.72);
  reserved.offer.price.commitment = 100 * kHour;
  const PriceChoice list = price_of(PriceKind::on_demand, 3.20);
  const auto unknown = commitment_of({.price = &reserved, .on_demand = &list, .wall = 40 * kHour, .nodes = 2});
  ASSERT_TRUE(unknown);
  EXPECT_DOUBLE_EQ(*unknown->idle / kHour, 60.0);
  EXPECT_DOUBLE_EQ(*unknown->idle_cost / kUsd, 2 * 60 * 2.72);
  EXPECT_TRUE(unknown->assumes_full_use);
  EXPECT_DOUBLE_EQ(*unknown->break_even_utilisation, 0.85);  // 2.72 / 3.20
  const auto shared = commitment_of({.price = &reserved, .wall = 40 * kHour, .nodes = 2, .utilisation = 0.75});
  EXPECT_DOUBLE_EQ(*shared->idle_cost / kUsd, 2 * 60 * 2.72 / 4);
  EXPECT_FALSE(shared->break_even_utilisation);
}

TEST(CommitmentOf, UnknownTermsStayUnknown) {
  const PriceChoice committed = price_of(PriceKind::committed, 2);
  const auto commitment = commitment_of({.price = &committed, .wall = kHour});
  ASSERT_TRUE(commitment);
  EXPECT_FALSE(commitment->bound || commitment->idle || commitment->idle_cost);
}

TEST(CommitmentOf, ALongerRunHasNoIdleHours) {
  PriceChoice block = price_of(PriceKind::capacity_block, 2);
  block.offer.price.minimum = 24 * kHour;
  EXPECT_EQ(*commitment_of({.price = &block, .wall = 30 * kHour})->idle, Seconds{});
}

TEST(CommitmentOf, WhatDoesNotBindHasNone) {
  const PriceChoice spot = price_of(PriceKind::spot, 2);
  EXPECT_FALSE(commitment_of({.price = &spot, .wall = kHour}));
}

}  // namespace
}  // namespace mekiki
