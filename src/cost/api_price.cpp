#include "cost/api_price.h"

#include <algorithm>

#include "base/check.h"
#include "cost/tariff.h"

namespace mekiki {
namespace {

constexpr Tokens kMillionTokens{1e6};

std::optional<UsdPerToken> per_token(const Tariff& tariff, TariffUse use) {
  const TariffFigure* figure = tariff.figure(use);
  return figure == nullptr ? std::nullopt : std::optional(figure->price / kMillionTokens);
}

using PriceField = std::optional<UsdPerToken> ApiPrice::*;

/// Rows with a dated price of this kind, cheapest first.
std::vector<const ApiPrice*> priced_rows(std::span<const ApiPrice> prices,
                                         PriceField field,
                                         ApiPriceKind kind,
                                         Date day) {
  std::vector<const ApiPrice*> rows;
  for (const ApiPrice& price : prices) {
    // What writes nothing, an embedding, is no model to compare with.
    const bool writes = kind != ApiPriceKind::inference || price.output;
    const bool known = price.as_of && *price.as_of <= day && writes;
    if (known && price.kind == kind && price.*field) {
      rows.push_back(&price);
    }
  }
  std::stable_sort(
      rows.begin(), rows.end(), [&](const ApiPrice* a, const ApiPrice* b) { return *(a->*field) < *(b->*field); });
  return rows;
}

std::optional<ApiCost> cost_at(const std::vector<const ApiPrice*>& rows, PriceField field, Tokens tokens) {
  if (rows.empty()) {
    return std::nullopt;
  }
  return ApiCost{.low = *(rows.front()->*field) * tokens,
                 .high = *(rows.back()->*field) * tokens,
                 .cheapest = *rows.front(),
                 .dearest = *rows.back(),
                 .rows = static_cast<std::int64_t>(rows.size())};
}

}  // namespace

Result<std::vector<ApiPrice>> read_api_prices(std::string_view csv,
                                              std::string_view subject,
                                              std::span<const Provider> providers) {
  const Result<std::vector<Tariff>> tariffs = read_sound_tariffs(csv, Service::api, subject, providers);
  if (!tariffs) {
    return fail(tariffs.error());
  }
  std::vector<ApiPrice> prices;
  for (const Tariff& tariff : *tariffs) {
    const std::optional<ApiPriceKind> kind = enum_from_name<ApiPriceKind>(tariff.kind);
    MEKIKI_CHECK(kind, "kinds of calls are kinds of API prices");
    prices.push_back({.provider = tariff.provider,
                      .model = tariff.item,
                      .kind = *kind,
                      .input = per_token(tariff, TariffUse::input),
                      .output = per_token(tariff, TariffUse::output),
                      .training = per_token(tariff, TariffUse::training),
                      .as_of = tariff.as_of,
                      .source = tariff.source});
  }
  return prices;
}

ApiEstimate api_estimate(std::span<const ApiPrice> prices, Tokens tokens, std::optional<Usd> run_cost, Date day) {
  const auto tuned = priced_rows(prices, &ApiPrice::training, ApiPriceKind::fine_tuning, day);
  const auto read = priced_rows(prices, &ApiPrice::input, ApiPriceKind::inference, day);
  const auto written = priced_rows(prices, &ApiPrice::output, ApiPriceKind::inference, day);
  ApiEstimate estimate{.tokens = tokens,
                       .tuned = cost_at(tuned, &ApiPrice::training, tokens),
                       .read = cost_at(read, &ApiPrice::input, tokens),
                       .written = cost_at(written, &ApiPrice::output, tokens)};
  if (run_cost && !read.empty()) {
    estimate.break_even_read = *run_cost / *read[read.size() / 2]->input;
  }
  return estimate;
}

}  // namespace mekiki
