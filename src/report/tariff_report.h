// Prices of storage, traffic and calls of models as tables and as JSON: lists with ages, one price, changes between two
// books, and how they moved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/books/price_series.h"
#include "cost/offer.h"
#include "report/json_parts.h"
#include "report/listing.h"
#include "report/price_history.h"
#include "report/voice.h"

namespace mekiki {

/// A tariff with its age on the day of the report; unset: the source has no day.
struct TariffLine {
  const Tariff* tariff = nullptr;
  std::optional<std::int64_t> age_days;
  std::optional<Staleness> staleness;
};

Listing tariffs_listing(const std::vector<TariffLine>& tariffs, Service service, const Voice& say);
std::string tariffs_footer(std::size_t count, Service service, const Voice& say);
Json tariffs_json(const std::vector<TariffLine>& tariffs, Service service, const Envelope& envelope);

/// One tariff with every field.
std::string tariff_text(const TariffLine& line);
Json tariff_json(const TariffLine& line, const Envelope& envelope);

std::string changes_text(const std::vector<TariffChange>& changes, const Voice& say);
Json changes_json(const std::vector<TariffChange>& changes, const Envelope& envelope);

Json history_json(const std::vector<TariffSeries>& series, const Envelope& envelope);

/// What history_text() shows of a series.
PriceHistory history_of(const TariffSeries& series, const Voice& say);

}  // namespace mekiki
