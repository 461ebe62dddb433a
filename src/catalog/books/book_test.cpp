#include "catalog/books/book.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "catalog/books/book_check.h"
#include "catalog/catalog.h"
#include "cost/offer.h"

namespace mekiki {
namespace {

constexpr Date kToday{20786};  // 2026-11-29

std::string file_text(const std::string& name) {
  std::ifstream stream(std::string(MEKIKI_SOURCE_DIR) + "/tests/data/prices/" + name, std::ios::binary);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

PriceBookRows read(const std::string& text, BookOptions options = {}) {
  options.subject = "book";
  options.today = kToday;
  auto book = read_book(text, options, bundled_catalog());
  EXPECT_TRUE(book) << describe(book.error());
  return book ? std::move(*book) : PriceBookRows{};
}

std::string faults_of(const PriceBookRows& book) {
  std::string text;
  for (const BookFinding& finding : book.findings) {
    text += std::string(enum_name(finding.fault)) + " " + finding.place + "; ";
  }
  return text;
}

std::string prices_of(const PriceBookRows& book) {
  std::string text;
  for (const Price& price : book.prices) {
    text += std::string(price.provider) + " " + std::string(price.sku) + " " + std::to_string(price.gpus) + " " +
            std::string(price.gpu_id) + " " + std::string(enum_name(price.kind)) + " " +
            std::to_string(std::lround(100 * (*price.per_unit / kUsdPerHour))) + "\n";
  }
  return text;
}

TEST(Books, EachPlantedFaultIsFound) {
  // Each file holds one good row and the fault that its name says.
  // Books of storage, traffic and calls of models have theirs: tariff_book_test.cpp.
  const std::set<std::string_view> of_tariffs = {"price_of_another_unit", "discount_above_list", "age_unknown"};
  for (const std::string_view name : EnumNames<BookFault>::value) {
    if (of_tariffs.contains(name)) {
      continue;
    }
    const PriceBookRows book = read(file_text("bad/" + std::string(name) + ".csv"));
    std::set<std::string_view> found;
    for (const BookFinding& finding : book.findings) {
      found.insert(enum_name(finding.fault));
    }
    EXPECT_EQ(found, std::set<std::string_view>{name}) << faults_of(book);
    const BookFault fault = *enum_from_name<BookFault>(name);
    EXPECT_EQ(static_cast<std::int64_t>(book.prices.size()) < book.rows, excludes(fault)) << name;
  }
}

TEST(Books, SkypilotRowsBecomePricesOfInstances) {
  const BookOptions nebius{.provider = "Nebius", .dated = kToday};
  const PriceBookRows book = read(file_text("skypilot_nebius.csv"), nebius);
  EXPECT_EQ(book.without_gpu, 2);
  EXPECT_EQ(faults_of(book).find("unreadable"), std::string::npos) << faults_of(book);
  // An instance of the catalogue settles the form: its H100 is the SXM board.
  EXPECT_NE(prices_of(book).find("nebius gpu-h100-sxm_8gpu-128vcpu-1600gb 8 h100-sxm5-80 on_demand 2360"),
            std::string::npos)
      << prices_of(book);
}

TEST(Books, AFormlessNameStaysAmbiguous) {
  const BookOptions elsewhere{.provider = "together", .dated = kToday};
  const PriceBookRows book = read(
      "InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\n"
      "box8,H100,8,\"{'Gpus': [{'Name': 'H100', 'MemoryInfo': {'SizeInMiB': 81920}}]}\",20,,us\n"
      "box1,A100,1,\"{'Gpus': [{'Name': 'A100', 'MemoryInfo': {'SizeInMiB': 40960}}]}\",2,,us\n",
      elsewhere);
  ASSERT_EQ(book.prices.size(), 2u) << faults_of(book);
  EXPECT_EQ(book.prices[0].gpu_id, "h100-80");
  EXPECT_EQ(meaning_of(book.prices[0], bundled_catalog().price_gpus)->gpu_id, "");
  // Memory leaves the two forms of the 40 GB part.
  ASSERT_EQ(book.price_gpus.size(), 1u);
  EXPECT_EQ(book.price_gpus[0].candidates, "a100-sxm4-40 a100-pcie-40");
}

TEST(Books, QuirksOfSkypilotFiles) {
  const struct {
    const char* file;
    const char* provider;
    std::int64_t without_gpu;
    std::size_t prices;
    std::map<BookFault, int> faults;
  } table[] = {
      // Prices that are empty beside a spot price are no on-demand rows.
      {"skypilot_verda.csv", "verda", 1, 9, {}},
      // The accelerator alone, and 700.0 for an unknown price: TPUs are no GPUs of the catalogue.
      {"skypilot_gcp.csv", "gcp", 2, 0, {{BookFault::unknown_gpu, 4}}},
      // Zones of one snapshot, and an instance that is sold as capacity blocks only: no price is told.
      {"skypilot_aws.csv", "aws", 1, 11, {{BookFault::no_price, 1}}},
      {"skypilot_lambda.csv", "lambda", 1, 2, {}},
      // Spot that costs what the list price does.
      {"skypilot_runpod.csv", "runpod", 0, 4, {{BookFault::spot_above_list, 2}}},
      {"skypilot_oci.csv", "oci", 1, 3, {}},
  };
  for (const auto& row : table) {
    const PriceBookRows book = read(file_text(row.file), {.provider = row.provider, .dated = kToday});
    EXPECT_EQ(book.without_gpu, row.without_gpu) << row.file;
    EXPECT_EQ(book.prices.size(), row.prices) << row.file << "\n" << prices_of(book) << faults_of(book);
    std::map<BookFault, int> faults;
    for (const BookFinding& finding : book.findings) {
      ++faults[finding.fault];
    }
    faults.erase(BookFault::unknown_sku);
    EXPECT_EQ(faults, row.faults) << row.file << " " << faults_of(book);
  }
}

TEST(Books, GpuhuntHasOneRowPerPurchase) {
  const PriceBookRows book = read(file_text("gpuhunt_aws.csv"), {.provider = "aws", .dated = kToday});
  EXPECT_EQ(book.without_gpu, 1);
  ASSERT_GE(book.prices.size(), 2u) << faults_of(book);
  EXPECT_EQ(book.prices[0].kind, PriceKind::on_demand);
  EXPECT_EQ(book.prices[1].kind, PriceKind::spot);
  EXPECT_EQ(book.prices[0].gpu_id, "h200-sxm5-141");  // the instance is in the catalogue
}

TEST(Books, WhatIsWrittenIsReadBack) {
  const struct {
    const char* file;
    const char* provider;
  } table[] = {{"skypilot_nebius.csv", "nebius"},
               {"skypilot_verda.csv", "verda"},
               {"skypilot_aws.csv", "aws"},
               {"skypilot_lambda.csv", "lambda"},
               {"skypilot_runpod.csv", "runpod"},
               {"skypilot_oci.csv", "oci"},
               {"gpuhunt_aws.csv", "aws"}};
  for (const auto& row : table) {
    const PriceBookRows book = read(file_text(row.file), {.provider = row.provider, .dated = kToday});
    ASSERT_FALSE(book.prices.empty()) << row.file;
    const std::string text = book_text(book.prices);
    const PriceBookRows back = read(text);
    EXPECT_EQ(book_text(back.prices), text) << row.file << faults_of(back);
  }
  std::istringstream written(book_text(bundled_catalog().prices));
  std::istringstream kept(file_text("../../../data/prices/prices.csv"));
  for (std::string a, b; std::getline(kept, b);) {
    std::getline(written, a);
    EXPECT_EQ(a, b);
  }
}

TEST(Books, JsonHasTheSameColumns) {
  const PriceBookRows book = read(
      R"([{"provider": "Lambda Labs", "gpu_id": "NVIDIA H100 80GB HBM3", "gpus": 8, "kind": "reserved",
           "price_per_hour": 20.5, "currency": "USD", "as_of": "2026-11-20", "commitment_s": 31536000,
           "upfront_share": 0.25}])");
  ASSERT_EQ(book.prices.size(), 1u) << faults_of(book);
  EXPECT_EQ(book.prices[0].provider, "lambda");
  EXPECT_EQ(book.prices[0].gpu_id, "h100-sxm5-80");
  EXPECT_DOUBLE_EQ(*book.prices[0].upfront_share, 0.25);
  EXPECT_TRUE(book.prices[0].own);
}

TEST(Books, ARateConvertsAndSaysSo) {
  BookOptions options{.rates = {*parse_exchange_rate("EUR=1.25@2026-11-20")}};
  const PriceBookRows book = read(file_text("bad/mixed_currency.csv"), options);
  EXPECT_EQ(faults_of(book), "");
  ASSERT_EQ(book.prices.size(), 3u);
  EXPECT_DOUBLE_EQ(*book.prices[1].per_unit / kUsdPerHour, 1.75);
  EXPECT_EQ(book.prices[1].notes, "1.4 EUR an hour at 1.25 USD of 2026-11-20");
  for (const char* text : {"EUR", "EUR=1.1", "EUR=0@2026-01-01", "=1@2026-01-01", "EUR=x@2026-01-01", "EUR=1@soon"}) {
    EXPECT_FALSE(parse_exchange_rate(text)) << text;
  }
}

TEST(Books, RefusesWhatIsNoBook) {
  const struct {
    const char* name;
    const char* text;
    BookOptions options;
    const char* expected;
  } table[] = {
      {"no day",
       "InstanceType,AcceleratorName,AcceleratorCount,Price\n",
       {.provider = "aws"},
       "book: a skypilot catalogue says neither its provider nor its day"},
      {"missing column",
       "provider,gpu_id,gpus,kind,price_per_hour,as_of\n",
       {},
       "book:1: the column \"currency\" is missing"},
      {"unknown column",
       "provider,gpu_id,gpus,kind,price_per_hour,currency,as_of,prize\n",
       {},
       "book:1: \"prize\" is no column of a price book"},
      {"no list", "{}", {}, "book: is not a list of prices"},
      {"no object", "[1]", {}, "book:/0: is not an object"},
      {"other tool",
       "a,b\n",
       {.format = BookFormat::gpuhunt, .provider = "aws", .dated = kToday},
       "book:1: is no catalogue of gpuhunt"},
  };
  for (const auto& row : table) {
    BookOptions options = row.options;
    options.subject = "book";
    options.today = kToday;
    const auto book = read_book(row.text, options, bundled_catalog());
    ASSERT_FALSE(book) << row.name;
    EXPECT_EQ(describe(book.error()), row.expected) << row.name;
  }
}

TEST(Books, TheBundledBookHasNoFaultsButTheKnownOnes) {
  const Catalog& catalog = bundled_catalog();
  std::map<BookFault, int> faults;
  std::string text;
  for (const RowFinding& finding :
       check_book(catalog.prices, catalog.prices, {catalog.systems, catalog.prices, catalog.price_gpus})) {
    ++faults[finding.fault];
    text += std::string(catalog.prices[finding.row].id) + " " + std::string(enum_name(finding.fault)) + " " +
            finding.detail + "\n";
  }
  // Two community prices of one V100 on one day; spot at the list price in us-west-1.
  EXPECT_EQ(faults, (std::map<BookFault, int>{{BookFault::conflict, 1}, {BookFault::spot_above_list, 1}})) << text;
}

TEST(Books, MostPricesOfAStatedFormJoin) {
  const Catalog& catalog = bundled_catalog();
  PriceJoiner joiner({catalog.systems, catalog.prices, catalog.price_gpus});
  const JoinCoverage coverage = coverage_of(catalog.prices, joiner);
  EXPECT_EQ(coverage.rows, static_cast<std::int64_t>(catalog.prices.size()));
  EXPECT_GE(static_cast<double>(coverage.joined_with_form), 0.8 * static_cast<double>(coverage.rows_with_form));
  std::int64_t excused = 0;
  for (const std::int64_t count : coverage.unjoined) {
    excused += count;
  }
  EXPECT_EQ(coverage.exact + coverage.similar + excused, coverage.rows);
  RecordProperty("joined_with_form", static_cast<int>(coverage.joined_with_form));
  RecordProperty("rows_with_form", static_cast<int>(coverage.rows_with_form));
}

}  // namespace
}  // namespace mekiki
