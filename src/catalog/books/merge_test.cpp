#include "catalog/books/merge.h"

#include <string>

#include <gtest/gtest.h>

#include "catalog/books/price_series.h"
#include "catalog/catalog.h"
#include "cost/offer.h"

namespace mekiki {
namespace {

constexpr Date kToday{20786};  // 2026-11-29
constexpr const char* kHeader = "id,provider,sku,gpu_id,gpus,region,kind,price_per_hour,currency,as_of\n";

PriceBookRows book_of(const std::string& rows) {
  auto book = read_book(kHeader + rows, {.subject = "mine", .today = kToday}, bundled_catalog());
  EXPECT_TRUE(book) << describe(book.error());
  return std::move(*book);
}

std::shared_ptr<const MergedBooks> merged_with(const std::string& rows) {
  std::vector<PriceBookRows> books;
  books.push_back(book_of(rows));
  return merge_books(bundled_catalog(), std::move(books));
}

double chosen(const Catalog& catalog, Name system) {
  const JoinedOffers joined = join_offers({catalog.systems, catalog.prices, catalog.price_gpus});
  for (const PriceChoice& choice : choose_prices(joined.offers, kToday)) {
    if (choice.offer.system.id == system && choice.offer.price.kind == PriceKind::on_demand) {
      return choice.offer.per_node() / kUsdPerHour;
    }
  }
  return 0;
}

TEST(MergeBooks, TheUsersPriceWinsAndBothAreShown) {
  // An old quote of the user's against a newer list price: the quote is a contract.
  const auto merged = merged_with("quote,aws,p5.48xlarge,h100-sxm-80,8,us-east-1,on_demand,40,USD,2026-06-01\n");
  EXPECT_DOUBLE_EQ(chosen(bundled_catalog(), "aws-p5-48xlarge"), 55.04);
  EXPECT_DOUBLE_EQ(chosen(merged->catalog, "aws-p5-48xlarge"), 40.0);
  ASSERT_EQ(merged->conflicts.size(), 1u);
  EXPECT_EQ(merged->conflicts[0].own->id, "quote");
  EXPECT_DOUBLE_EQ(*merged->conflicts[0].bundled->per_unit / kUsdPerHour, 55.04);
  EXPECT_NE(merged->digest, bundled_catalog().digest);
}

TEST(MergeBooks, NearTheBundledPriceIsNoConflict) {
  const auto merged = merged_with("quote,aws,p5.48xlarge,h100-sxm-80,8,us-east-1,on_demand,54,USD,2026-11-20\n");
  EXPECT_TRUE(merged->conflicts.empty());
}

TEST(MergeBooks, AnotherCurrencyIsNeverPlannedWith) {
  const auto merged = merged_with("quote,aws,p5.48xlarge,h100-sxm-80,8,us-east-1,on_demand,40,EUR,2026-11-20\n");
  EXPECT_DOUBLE_EQ(chosen(merged->catalog, "aws-p5-48xlarge"), 55.04);
}

TEST(PriceSeries, ChangesBetweenTwoBooks) {
  const PriceBookRows before = book_of(
      "a,lambda,8x,h100-sxm-80,8,us,on_demand,30,USD,2026-10-01\n"
      "b,lambda,1x,a10-24,1,us,on_demand,1.29,USD,2026-10-01\n"
      "c,lambda,1x,gh200-96,1,us,on_demand,2.29,USD,2026-10-01\n");
  const PriceBookRows after = book_of(
      "a2,lambda,8x,h100-sxm-80,8,us,on_demand,33,USD,2026-11-01\n"
      "b2,lambda,1x,a10-24,1,us,on_demand,1.29,USD,2026-11-01\n"
      "d,lambda,8x,b200-180,8,us,on_demand,50,USD,2026-11-01\n");
  const std::vector<PriceChange> changes = changes_between(before.prices, after.prices);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ((*changes[0].before)->id, "a");
  EXPECT_EQ((*changes[0].after)->id, "a2");
  EXPECT_FALSE(changes[1].before);
  EXPECT_EQ((*changes[1].after)->id, "d");
  EXPECT_EQ((*changes[2].before)->id, "c");
  EXPECT_FALSE(changes[2].after);
}

TEST(PriceSeries, OldestFirst) {
  const PriceBookRows book = book_of(
      "new,lambda,8x,h100-sxm-80,8,us,on_demand,33,USD,2026-11-01\n"
      "old,lambda,8x,h100-sxm-80,8,us,on_demand,30,USD,2026-10-01\n"
      "other,lambda,8x,h100-sxm-80,8,eu,on_demand,30,USD,2026-10-01\n");
  std::vector<const Price*> prices;
  for (const Price& price : book.prices) {
    prices.push_back(&price);
  }
  const std::vector<PriceSeries> series = series_of(prices);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].front()->id, "old");
  EXPECT_EQ(series[0].back()->id, "new");
}

}  // namespace
}  // namespace mekiki
