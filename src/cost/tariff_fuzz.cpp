// A book of tariffs. The first byte chooses the service.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cost/api_price.h"
#include "cost/tariff.h"
#include "cost/tariff_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mekiki;
  if (size == 0) {
    return 0;
  }
  const Provider providers[] = {{.id = "aws", .name = "AWS"}, {.id = "openai", .name = "OpenAI"}};
  const auto service = static_cast<Service>(data[0] % EnumNames<Service>::value.size());
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto book = read_tariffs(text, service, {.subject = "t", .providers = providers, .today = Date{20800}});
  if (!book) {
    MEKIKI_CHECK(book.error().subject.starts_with("t"), "every refusal names the text");
    return 0;
  }
  const std::vector<Tariff> known = book->tariffs;
  const std::int64_t rows = book->rows;
  const TariffBook good = checked(std::move(*book), known);
  MEKIKI_CHECK(static_cast<std::int64_t>(good.tariffs.size()) <= rows, "a row is one tariff at most");
  for (const Tariff& tariff : good.tariffs) {
    for (const TariffFigure& figure : tariff.figures) {
      const bool free_traffic = service == Service::egress && !(figure.price < Usd{});
      MEKIKI_CHECK(figure.price > Usd{} || free_traffic, "no price is zero");
    }
    MEKIKI_CHECK(!tariff.as_of || *tariff.as_of <= Date{20800}, "no price is of tomorrow");
  }
  if (const auto calls = read_api_prices(text, "t", providers)) {
    const ApiEstimate estimate = api_estimate(*calls, Tokens{1e9}, kUsd, Date{30000});
    for (const auto& cost : {estimate.tuned, estimate.read, estimate.written}) {
      MEKIKI_CHECK(!cost || (cost->rows > 0 && cost->low <= cost->high), "a range is in order");
    }
  }
  return 0;
}
