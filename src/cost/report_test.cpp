#include "cost/report.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(MEKIKI_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

CostRules bundled_rules() {
  const auto rules = read_cost_rules(file_text("data/rules/cost.csv"), "data/rules/cost.csv");
  EXPECT_TRUE(rules) << describe(rules.error());
  return *rules;
}

constexpr Name kAliases[] = {"Oracle", "Oracle Cloud Infrastructure"};
const Provider kProviders[] = {{.id = "aws", .name = "AWS"},
                               {.id = "lambda", .name = "Lambda"},
                               {.id = "oci", .name = "Oracle Cloud", .aliases = kAliases}};

CostInputs ten_hours() {
  return {.per_node = 20.0 * kUsdPerHour,
          .nodes = 2,
          .wall_p50 = 10.0 * kHour,
          .drawn_walls = {8.0 * kHour, 9.0 * kHour, 10.0 * kHour, 11.0 * kHour, 12.0 * kHour},
          .interruptions = 1.5,
          .checkpoint = Bytes{100e9},
          .delivered = Bytes{16e9},
          .effort = SetupEffort::sharded};
}

TEST(Cost, GpuTermIsHoursTimesNodes) {
  const CostReport report = cost_of(ten_hours(), bundled_rules());
  EXPECT_NEAR(*report.term(CostTermKind::gpu).amount / kUsd, 10 * 20 * 2, 1e-9);
}

TEST(Cost, BillingRoundsUp) {
  EXPECT_DOUBLE_EQ(billed(Seconds{90}, std::nullopt).base(), 90);
  EXPECT_DOUBLE_EQ(billed(Seconds{90}, Seconds{60}).base(), 120);
  EXPECT_DOUBLE_EQ(billed(Seconds{120}, Seconds{60}).base(), 120);
  EXPECT_DOUBLE_EQ(billed(kHour, kDay).base(), 86400);
}

TEST(Cost, TermsAddUpToTheTotal) {
  const StoragePrice storage{.provider = "aws", .rate = Usd{0.023} / kGB / Seconds{730 * 3600.0}, .as_of = Date{1}};
  const EgressPrice egress{.provider = "aws", .rate = Usd{0.09} / kGB, .as_of = Date{1}};
  for (const bool known : {false, true}) {
    CostInputs inputs = ten_hours();
    inputs.storage = known ? &storage : nullptr;
    inputs.egress = known ? &egress : nullptr;
    inputs.reuse = Usd{50};
    const CostReport report = cost_of(inputs, bundled_rules());
    Usd sum;
    for (const CostTerm& term : report.terms) {
      sum += term.amount.value_or(Usd{});
    }
    EXPECT_DOUBLE_EQ(sum / kUsd, report.total / kUsd);
    EXPECT_DOUBLE_EQ(report.total_without_reuse / kUsd, report.total / kUsd + 50);
    EXPECT_LE(report.total, report.total_p90);
    EXPECT_EQ(report.complete, known);
  }
}

TEST(Cost, P90IsOverTimeAndPriceTogether) {
  const CostRules free{};
  CostInputs inputs = ten_hours();
  EXPECT_NEAR(cost_of(inputs, free).total_p90 / kUsd, 12 * 40, 1e-9);
  // The longest run meets the lowest price: 8 x 50, 9 x 40, 10 x 20, 11 x 30, 12 x 10 USD/h of two nodes.
  for (const double price : {50.0, 40.0, 20.0, 30.0, 10.0}) {
    inputs.drawn_prices.push_back(price * kUsdPerHour);
  }
  EXPECT_NEAR(cost_of(inputs, free).total_p90 / kUsd, 8 * 100, 1e-9);
  inputs.drawn_walls.clear();
  inputs.drawn_prices.clear();
  EXPECT_NEAR(cost_of(inputs, free).total_p90 / kUsd, 10 * 40, 1e-9);
}

TEST(Cost, UnknownIsUnsetWithItsReason) {
  const CostReport report = cost_of(ten_hours(), bundled_rules());
  EXPECT_FALSE(report.term(CostTermKind::storage).amount);
  EXPECT_EQ(report.term(CostTermKind::storage).reason, CostReason::no_storage_price);
  EXPECT_FALSE(report.term(CostTermKind::egress).amount);
  EXPECT_EQ(report.term(CostTermKind::egress).reason, CostReason::no_egress_price);
}

TEST(Cost, AssumedTermsCanBeLeftOut) {
  const CostReport report = cost_of(ten_hours(), bundled_rules());
  EXPECT_NEAR(report.total_without_assumed / kUsd, 400, 1e-9);
  // 1.5 interruptions x 0.5 h x 100 USD/h, and (8 + 16) h of setting up: data/rules/cost.csv.
  EXPECT_NEAR(*report.term(CostTermKind::engineer).amount / kUsd, 75, 1e-9);
  EXPECT_NEAR(*report.term(CostTermKind::setup).amount / kUsd, 2400, 1e-9);
}

TEST(Cost, MoreDeliveriesShareTheTotal) {
  CostInputs inputs = ten_hours();
  inputs.deliveries = 4;
  const CostReport report = cost_of(inputs, bundled_rules());
  EXPECT_DOUBLE_EQ(report.per_checkpoint() / kUsd, report.total / kUsd / 4);
}

TEST(ServicePrices, BundledFilesReadInTheirUnits) {
  const auto storage = read_storage_prices(file_text("data/prices/storage.csv"), "data/prices/storage.csv", kProviders);
  ASSERT_TRUE(storage) << describe(storage.error());
  const StoragePrice* aws = storage_of(*storage, "aws");
  ASSERT_NE(aws, nullptr);
  EXPECT_EQ(aws->service, "S3 Standard");
  EXPECT_NEAR(kGB * Seconds{730 * 3600.0} * aws->rate / kUsd, 0.023, 1e-12);
  const StoragePrice* lambda = storage_of(*storage, "lambda");
  ASSERT_NE(lambda, nullptr);  // a file system, by the GiB, undated
  EXPECT_NEAR(kGiB * Seconds{730 * 3600.0} * lambda->rate / kUsd, 0.2, 1e-12);
  EXPECT_FALSE(lambda->as_of);
  EXPECT_EQ(storage_of(*storage, "nobody"), nullptr);
  EXPECT_EQ(storage_of(*storage, ""), nullptr);

  const auto egress = read_egress_prices(file_text("data/prices/egress.csv"), "data/prices/egress.csv", kProviders);
  ASSERT_TRUE(egress) << describe(egress.error());
  EXPECT_NEAR(Bytes{1e12} * egress_of(*egress, "aws")->rate / kUsd, 90, 1e-9);
  EXPECT_NEAR(kGB * egress_of(*egress, "oci")->rate / kUsd, 0.0085, 1e-12);
  EXPECT_EQ(egress_of(*egress, "lambda")->rate / (Usd{1} / kGB), 0.0);  // free, as its provider says
}

TEST(ServicePrices, BadRowsAreNamed) {
  struct Case {
    std::string_view name, csv;
  };
  const Case cases[] = {
      {"unit", "provider,path,tier,price_usd_per_gb,unit,as_of,source,notes\nAWS,internet,,0.09,TB,2026-01-01,,\n"},
      {"price", "provider,path,tier,price_usd_per_gb,unit,as_of,source,notes\nAWS,internet,,free,GB,2026-01-01,,\n"},
      {"date", "provider,path,tier,price_usd_per_gb,unit,as_of,source,notes\nAWS,internet,,0.09,GB,May,,\n"},
      {"column", "provider,path,tier,unit,as_of,source,notes\nAWS,internet,,GB,2026-01-01,,\n"},
  };
  for (const Case& c : cases) {
    const auto rows = read_egress_prices(c.csv, "egress.csv", kProviders);
    ASSERT_FALSE(rows) << c.name;
    EXPECT_EQ(rows.error().subject, c.name == "column" ? "egress.csv:1" : "egress.csv:2") << c.name;
  }
}

}  // namespace
}  // namespace mekiki
