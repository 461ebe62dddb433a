// A price book of a hundred thousand rows: read, checked, joined.
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "catalog/books/book.h"
#include "catalog/catalog.h"
#include "cost/price_join.h"

namespace mekiki {
namespace {

// Rows of the bundled book over and over, each in a region of its own.
std::string large_book(std::int64_t rows) {
  const Catalog& catalog = bundled_catalog();
  std::vector<Price> prices;
  std::vector<std::string> regions;
  regions.reserve(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    Price price = catalog.prices[static_cast<std::size_t>(i) % catalog.prices.size()];
    price.region = regions.emplace_back(fmt::format("zone-{}", i));
    prices.push_back(price);
  }
  return book_text(prices);
}

void read_and_join(benchmark::State& state) {
  const Catalog& catalog = bundled_catalog();
  const std::string text = large_book(state.range(0));
  for (auto _ : state) {
    const auto book = read_book(text, {.subject = "book", .today = Date{21000}}, catalog);
    PriceJoiner joiner({catalog.systems, book->prices, catalog.price_gpus});
    benchmark::DoNotOptimize(coverage_of(book->prices, joiner));
    state.counters["prices"] = static_cast<double>(book->prices.size());
  }
}

BENCHMARK(read_and_join)->Arg(1000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mekiki
