#include "catalog/books/price_series.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace mekiki {
namespace {

using SeriesKey = std::tuple<Name, Name, Name, std::int64_t, Name, PriceKind, Tenancy, double>;

SeriesKey key_of(const Price& price) {
  const double commitment = price.commitment ? price.commitment->base() : 0.0;
  return {price.provider, price.sku, price.gpu_id, price.gpus, price.region, price.kind, price.tenancy, commitment};
}

std::vector<const Price*> pointers(std::span<const Price> prices) {
  std::vector<const Price*> list;
  list.reserve(prices.size());
  for (const Price& price : prices) {
    list.push_back(&price);
  }
  return list;
}

}  // namespace

std::vector<PriceSeries> series_of(std::span<const Price* const> prices) {
  std::map<SeriesKey, std::size_t> places;
  std::vector<PriceSeries> series;
  for (const Price* price : prices) {
    if (!price->per_unit) {
      continue;
    }
    const auto [place, is_new] = places.emplace(key_of(*price), series.size());
    if (is_new) {
      series.emplace_back();
    }
    series[place->second].push_back(price);
  }
  for (PriceSeries& one : series) {
    std::stable_sort(one.begin(), one.end(), [](const Price* a, const Price* b) { return a->as_of < b->as_of; });
  }
  return series;
}

std::vector<PriceChange> changes_between(std::span<const Price> before, std::span<const Price> after) {
  std::map<SeriesKey, const Price*> old;
  const std::vector<PriceSeries> old_series = series_of(pointers(before)), new_series = series_of(pointers(after));
  for (const PriceSeries& series : old_series) {
    old.emplace(key_of(*series.back()), series.back());
  }
  std::vector<PriceChange> changes;
  for (const PriceSeries& series : new_series) {
    const Price* now = series.back();
    const auto known = old.find(key_of(*now));
    if (known == old.end()) {
      changes.push_back({nullptr, now});
      continue;
    }
    if (*known->second->per_unit != *now->per_unit || known->second->currency != now->currency) {
      changes.push_back({known->second, now});
    }
    old.erase(known);
  }
  for (const PriceSeries& series : old_series) {
    if (old.contains(key_of(*series.back()))) {
      changes.push_back({series.back(), nullptr});
    }
  }
  return changes;
}

}  // namespace mekiki
