// Prices of one offer over time, and what changed between two books.
#pragma once

#include <span>
#include <vector>

#include "cost/price.h"

namespace mekiki {

/// Prices of one offer (provider, sku, GPU name of the book, number, region, kind, tenancy, commitment), oldest first;
/// never empty.
using PriceSeries = std::vector<const Price*>;

/// In the order of the first price of each; prices without a figure are left out.
std::vector<PriceSeries> series_of(std::span<const Price* const> prices);

/// An offer that two books price differently, or that only one has (the other is null).
struct PriceChange {
  const Price* before = nullptr;
  const Price* after = nullptr;
};

/// The newest price of each offer in either book; offers with the same price are left out. Removed ones last.
std::vector<PriceChange> changes_between(std::span<const Price> before, std::span<const Price> after);

}  // namespace mekiki
