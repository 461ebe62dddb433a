// Prices of one offer over time, and what changed between two books: of machines, and of what stands beside them.
#pragma once

#include <span>
#include <vector>

#include "catalog/books/offer_series.h"
#include "cost/price.h"
#include "cost/tariff_check.h"

namespace mekiki {

/// Prices of one offer (provider, sku, GPU name of the book, number, region, kind, tenancy, commitment), oldest first;
/// never empty.
using PriceSeries = std::vector<const Price*>;

/// Figures of one tariff (service, provider, item, variant, kind, use, unit) over its days.
using TariffSeries = std::vector<TariffPoint>;

/// Prices without a figure are left out, tariffs without a day too.
std::vector<PriceSeries> series_of(std::span<const Price* const> prices);
std::vector<TariffSeries> series_of(const std::vector<TariffPoint>& points);

/// An offer that two books price differently, or that only one has (the other is unset).
using PriceChange = OfferChange<const Price*>;
using TariffChange = OfferChange<TariffPoint>;

/// The newest price of each offer in either book; offers with the same price are left out. Removed ones last.
std::vector<PriceChange> changes_between(std::span<const Price> before, std::span<const Price> after);
std::vector<TariffChange> changes_between(std::span<const Tariff> before, std::span<const Tariff> after);

}  // namespace mekiki
