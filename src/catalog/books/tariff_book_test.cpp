#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "catalog/books/price_series.h"
#include "catalog/catalog.h"
#include "cost/tariff_check.h"

namespace mekiki {
namespace {

constexpr Date kToday{20786};  // 2026-11-29

std::string file_text(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream) << path;
  return {std::istreambuf_iterator<char>(stream), {}};
}

TariffBook bundled(Service service, const std::string& file) {
  auto book = read_tariffs(file_text(std::filesystem::path(MEKIKI_SOURCE_DIR) / "data" / "prices" / file),
                           service,
                           {.subject = file, .providers = bundled_catalog().providers});
  EXPECT_TRUE(book) << describe(book.error());
  return book ? std::move(*book) : TariffBook{};
}

TariffBook own(Service service, const std::string& text, const TariffBook& known) {
  EXPECT_EQ(service_of(text), service);
  auto book = read_tariffs(
      text, service, {.subject = "book", .providers = bundled_catalog().providers, .today = kToday, .own = true});
  EXPECT_TRUE(book) << describe(book.error());
  return book ? checked(std::move(*book), known.tariffs) : TariffBook{};
}

struct ServiceCase {
  Service service;
  std::string file;
  std::size_t faults;  // that a row of this service can have
};

const ServiceCase kServices[] = {{Service::storage, "storage.csv", 12},
                                 {Service::egress, "egress.csv", 11},  // 0 is a statement there
                                 {Service::api, "api_prices.csv", 12}};

TEST(TariffBooks, EachPlantedFaultIsFound) {
  // Each file holds one good row and the fault that its name says.
  for (const ServiceCase& c : kServices) {
    const TariffBook known = bundled(c.service, c.file);
    const std::filesystem::path folder =
        std::filesystem::path(MEKIKI_SOURCE_DIR) / "tests/data/prices/bad_tariffs" / std::string(enum_name(c.service));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const TariffBook book = own(c.service, file_text(entry.path()), known);
      std::set<std::string> found;
      for (const BookFinding& finding : book.findings) {
        EXPECT_EQ(finding.place, "book:3") << entry.path();
        found.emplace(enum_name(finding.fault));
      }
      const std::string name = entry.path().stem().string();
      EXPECT_EQ(found, std::set<std::string>{name}) << entry.path();
      const auto fault = enum_from_name<BookFault>(name);
      ASSERT_TRUE(fault) << entry.path();
      EXPECT_EQ(book.tariffs.size(), excludes(*fault) ? 1u : 2u) << entry.path();
      ++files;
    }
    EXPECT_EQ(files, c.faults) << enum_name(c.service);
  }
}

TEST(TariffBooks, EveryBundledRowIsAPrice) {
  for (const ServiceCase& c : kServices) {
    TariffBook book = bundled(c.service, c.file);
    const std::vector<Tariff> known = book.tariffs;
    book = checked(std::move(book), known);
    std::set<std::string> ids;
    for (const BookFinding& finding : book.findings) {
      EXPECT_FALSE(excludes(finding.fault))
          << finding.place << " " << enum_name(finding.fault) << " " << finding.detail;
    }
    EXPECT_EQ(static_cast<std::int64_t>(book.tariffs.size()), book.rows) << c.file;
    for (const Tariff& tariff : book.tariffs) {
      EXPECT_TRUE(ids.insert(tariff.id).second) << tariff.id;
    }
  }
}

TEST(TariffBooks, ColumnsOfAnotherCurrencyAreNone) {
  const auto book =
      read_tariffs("provider,path,price_eur_per_gb,unit,as_of,source\n", Service::egress, {.subject = "t"});
  ASSERT_FALSE(book);
  EXPECT_EQ(book.error().subject, "t:1");
  EXPECT_NE(book.error().message.find("price_eur_per_gb"), std::string::npos);
  EXPECT_NE(book.error().hint.find("price_usd_per_gb"), std::string::npos);
}

TEST(TariffBooks, AGibibyteComparesAsAGigabyte) {
  const TariffFigure figure{TariffUse::stored, TariffUnit::gib_month, Usd{0.02}};
  EXPECT_NEAR(figure.comparable() / kUsd, 0.02 * 1e9 / 1073741824.0, 1e-12);
  EXPECT_EQ((TariffFigure{TariffUse::sent, TariffUnit::gb, Usd{0.09}}).comparable() / kUsd, 0.09);
}

TEST(TariffBooks, SeriesAndChangesAreOfOneFigure) {
  const std::string header = "provider,model,kind,input_usd_per_1m,output_usd_per_1m,as_of,source\n";
  const TariffBook old = own(Service::api,
                             header +
                                 "openai,m,inference,2,8,2026-10-01,invented\n"
                                 "openai,gone,inference,1,2,2026-10-01,invented\n",
                             {});
  const TariffBook now = own(Service::api,
                             header +
                                 "openai,m,inference,2,6,2026-11-01,invented\n"
                                 "openai,new,inference,1,,2026-11-01,invented\n",
                             {});
  const std::vector<TariffChange> changes = changes_between(old.tariffs, now.tariffs);
  ASSERT_EQ(changes.size(), 4u);  // the output of m; new; both figures of gone
  EXPECT_EQ(changes[0].before->figure->price / kUsd, 8);
  EXPECT_EQ(changes[0].after->figure->price / kUsd, 6);
  EXPECT_FALSE(changes[1].before);
  EXPECT_FALSE(changes[2].after || changes[3].after);

  std::vector<Tariff> both = now.tariffs;
  both.insert(both.end(), old.tariffs.begin(), old.tariffs.end());
  const std::vector<TariffSeries> series = series_of(points_of(both));
  ASSERT_EQ(series.size(), 5u);
  ASSERT_EQ(series[1].size(), 2u);
  EXPECT_LT(series[1][0].tariff->as_of, series[1][1].tariff->as_of) << "oldest first";
}

}  // namespace
}  // namespace mekiki
