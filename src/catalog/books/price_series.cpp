#include "catalog/books/price_series.h"

#include <tuple>

namespace mekiki {
namespace {

using PriceKey = std::tuple<Name, Name, Name, std::int64_t, Name, PriceKind, Tenancy, double>;

PriceKey key_of_price(const Price* price) {
  const double commitment = price->commitment ? price->commitment->base() : 0.0;
  return {
      price->provider, price->sku, price->gpu_id, price->gpus, price->region, price->kind, price->tenancy, commitment};
}

TariffKey key_of_point(const TariffPoint& point) {
  return point.offer();
}

std::vector<const Price*> pointers(std::span<const Price> prices) {
  std::vector<const Price*> list;
  list.reserve(prices.size());
  for (const Price& price : prices) {
    list.push_back(&price);
  }
  return list;
}

// A price list that has no day is one all the same: only a history needs days.
std::vector<TariffSeries> grouped(const std::vector<TariffPoint>& points) {
  return grouped_by_offer(points, key_of_point, [](const TariffPoint& point) { return point.tariff->as_of; });
}

}  // namespace

std::vector<PriceSeries> series_of(std::span<const Price* const> prices) {
  std::vector<const Price*> priced;
  for (const Price* price : prices) {
    if (price->per_unit) {
      priced.push_back(price);
    }
  }
  return grouped_by_offer(priced, key_of_price, [](const Price* price) { return price->as_of; });
}

std::vector<TariffSeries> series_of(const std::vector<TariffPoint>& points) {
  std::vector<TariffPoint> dated;
  for (const TariffPoint& point : points) {
    if (point.tariff->as_of) {
      dated.push_back(point);
    }
  }
  return grouped(dated);
}

std::vector<PriceChange> changes_between(std::span<const Price> before, std::span<const Price> after) {
  return changes_of_offers(
      series_of(pointers(before)), series_of(pointers(after)), key_of_price, [](const Price* a, const Price* b) {
        return *a->per_unit == *b->per_unit && a->currency == b->currency;
      });
}

std::vector<TariffChange> changes_between(std::span<const Tariff> before, std::span<const Tariff> after) {
  return changes_of_offers(
      grouped(points_of(before)),
      grouped(points_of(after)),
      key_of_point,
      [](const TariffPoint& a, const TariffPoint& b) { return a.figure->price == b.figure->price; });
}

}  // namespace mekiki
