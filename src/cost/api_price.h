// Prices of models behind an API, per token: read, written, trained on. Data: data/prices/api_prices.csv.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/enum_names.h"
#include "base/quantity.h"
#include "base/result.h"
#include "cost/price.h"

namespace mekiki {

using UsdPerToken = Quantity<Dimension{.token = -1, .usd = 1}>;

/// tuned_inference: calls of a model that was tuned there. gateway: sells the calls of others at their price.
enum class ApiPriceKind : std::uint8_t { inference, tuned_inference, fine_tuning, gateway };

template <>
struct EnumNames<ApiPriceKind> {
  static constexpr std::array<std::string_view, 4> value = {"inference", "tuned_inference", "fine_tuning", "gateway"};
};

struct ApiPrice {
  std::string provider;  // id of a Provider
  std::string model;
  ApiPriceKind kind = ApiPriceKind::inference;
  std::optional<UsdPerToken> input, output, training;
  std::optional<Date> as_of;  // unset: undated; the last day where the source names a year alone
  std::string source;
};

/// Rows of other providers are left out. Errors: those of read_sound_tariffs (tariff.h).
Result<std::vector<ApiPrice>> read_api_prices(std::string_view csv,
                                              std::string_view subject,
                                              std::span<const Provider> providers);

/// What so many tokens cost at the cheapest and at the dearest row that has such a price.
struct ApiCost {
  Usd low, high;
  ApiPrice cheapest, dearest;
  std::int64_t rows = 0;
};

/// By price alone: nothing says that any of these models is as good as the one that is trained. Each unset where no row
/// that was known on that day has the price; undated rows are left out.
struct ApiEstimate {
  Tokens tokens;                          // that are trained on
  std::optional<ApiCost> tuned;           // the same tokens as a training job of the API
  std::optional<ApiCost> read;            // the same tokens read once by a model
  std::optional<ApiCost> written;         // the same tokens written by a model
  std::optional<Tokens> break_even_read;  // a run of `run_cost` costs as much as reading these, at the middle price
};

ApiEstimate api_estimate(std::span<const ApiPrice> prices, Tokens tokens, std::optional<Usd> run_cost, Date day);

}  // namespace mekiki
