// How prices moved, as an HTML page: a plot of list prices, one of those that move by the day, and every price with its
// source below.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/date.h"
#include "base/result.h"
#include "report/json_parts.h"
#include "report/price_report.h"
#include "report/tariff_report.h"
#include "report/voice.h"

namespace mekiki {

/// One price as the page shows it.
struct PagePrice {
  std::string line;  // that it belongs to: provider and kind
  Date day;
  std::optional<double> amount;  // unset: stands in the table only
  bool moves_daily = false;
  std::string amount_text;
  std::string product;  // what was bought of it, and where
  std::string age;
  std::string source;
};

struct HistoryPage {
  std::string what;               // the name of a GPU, a service, or what was typed
  std::string unit;               // of the plots
  std::vector<PagePrice> prices;  // in any order
  Date since;                     // the plots begin here
};

std::vector<PagePrice> page_prices(const std::vector<PriceLine>& lines, const Voice& say);
std::vector<PagePrice> page_prices(const std::vector<TariffLine>& lines, const Voice& say);

/// "USD / 1M tokens": of the first figure.
std::string unit_of(const std::vector<TariffLine>& lines, const Voice& say);

/// Errors: not_found where there is no price to plot.
Result<std::string> history_page(const HistoryPage& page, const Envelope& envelope, const Voice& say);

}  // namespace mekiki
