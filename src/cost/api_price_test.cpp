#include "cost/api_price.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr std::string_view kHeader =
    "provider,model,kind,input_usd_per_1m,output_usd_per_1m,training_usd_per_1m,other,as_of,source\n";

const Provider kMakers[] = {{.id = "a", .name = "A"}, {.id = "b", .name = "B"}, {.id = "c", .name = "C"}};

std::vector<ApiPrice> prices() {
  return read_api_prices(std::string(kHeader) +
                             "a,small,inference,0.1,0.4,,,2026-07-01,s\n"
                             "a,large,inference,5,30,,,2026-07-01,s\n"
                             "b,middle,inference,1,4,,,2026-07-01,s\n"
                             "b,embedding,inference,0.01,,,,2026-07-01,s\n"
                             "b,old,inference,0.01,0.01,,,undated,s\n"
                             "b,tomorrow,inference,0.02,0.02,,,2026-12-01,s\n"
                             "c,tune,fine-tuning,,,0.5,,2026-07-01,s\n"
                             "c,tune-large,fine-tuning,,,25,,2026-07-01,s\n"
                             "c,tune-range,fine-tuning,,,,range 1-2,2026-07-01,s\n",
                         "t",
                         kMakers)
      .value();
}

TEST(ApiPrice, TokensTimesTheCheapestAndTheDearestRowOfThatDay) {
  const ApiEstimate estimate = api_estimate(prices(), Tokens{2e9}, Usd{3000}, parse_date("2026-11-20").value());
  ASSERT_TRUE(estimate.tuned && estimate.read && estimate.written && estimate.break_even_read);
  EXPECT_DOUBLE_EQ(estimate.tuned->low / kUsd, 1000);    // 2,000 million x 0.5
  EXPECT_DOUBLE_EQ(estimate.tuned->high / kUsd, 50000);  // x 25
  EXPECT_EQ(estimate.tuned->dearest.model, "tune-large");
  EXPECT_DOUBLE_EQ(estimate.read->low / kUsd, 200);
  EXPECT_EQ(estimate.read->cheapest.model, "small") << "what writes nothing, undated and later rows are none";
  EXPECT_EQ(estimate.read->rows, 3);
  EXPECT_DOUBLE_EQ(estimate.written->high / kUsd, 60000);
  EXPECT_DOUBLE_EQ(*estimate.break_even_read / kToken, 3e9);  // 3,000 USD at 1 USD a million
}

TEST(ApiPrice, NothingKnownIsUnset) {
  const ApiEstimate estimate = api_estimate(prices(), Tokens{2e9}, std::nullopt, parse_date("2026-01-01").value());
  EXPECT_FALSE(estimate.tuned || estimate.read || estimate.written || estimate.break_even_read);
}

TEST(ApiPrice, RowsThatCannotBeAreRefusedWithTheirLine) {
  for (const std::string_view wrong : {"a,m,barter,1,1,,,2026-07-01,s",
                                       "a,m,inference,-1,1,,,2026-07-01,s",
                                       "a,m,inference,0,1,,,2026-07-01,s",
                                       "a,m,inference,,,,,2026-07-01,s",
                                       "a,m,inference,x,1,,,2026-07-01,s",
                                       "a,m,inference,1,1,,,2026-17-01,s"}) {
    const auto read = read_api_prices(std::string(kHeader) + std::string(wrong) + "\n", "t", kMakers);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().subject, "t:2") << wrong;
  }
  EXPECT_FALSE(read_api_prices("provider\nx\n", "t", kMakers));
}

}  // namespace
}  // namespace mekiki
