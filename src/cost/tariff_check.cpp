#include "cost/tariff_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/quantile.h"
#include "cost/seen_offers.h"

namespace mekiki {
namespace {

// What is held against each other: kind of the row and use of the figure.
using MedianKey = std::pair<std::string, TariffUse>;
using Medians = std::map<MedianKey, Usd>;

MedianKey median_key(const TariffPoint& point) {
  return {point.tariff->kind, point.figure->use};
}

Medians medians_of(std::span<const Tariff> known) {
  constexpr std::size_t kFewest = 3;
  std::map<MedianKey, std::vector<Usd>> values;
  for (const TariffPoint& point : points_of(known)) {
    if (point.figure->price > Usd{}) {
      values[median_key(point)].push_back(point.figure->comparable());
    }
  }
  Medians medians;
  for (auto& [key, list] : values) {
    if (list.size() >= kFewest) {
      medians[key] = quantile(std::move(list), 0.5);
    }
  }
  return medians;
}

// Units in use lie 730 (hour and month) or 1,000 (GB and TB, thousand and million tokens) apart. The bundled rows lie
// up to 70 (calls) and 10 (storage, traffic) from their medians.
constexpr double kAnotherUnit = 100.0;
constexpr double kAnotherOrder = 20.0;

std::optional<BookFault> order_fault(const TariffPoint& point, Usd median) {
  const double ratio = point.figure->comparable() / median;
  const double apart = std::max(ratio, 1.0 / ratio);
  if (apart > kAnotherUnit) {
    return BookFault::price_of_another_unit;
  }
  const bool like_goods = point.tariff->service != Service::api;
  return like_goods && apart > kAnotherOrder ? std::optional(BookFault::outlier) : std::nullopt;
}

struct DiscountPair {
  TariffUse discounted, plain;
};

constexpr DiscountPair kDiscounts[] = {{TariffUse::cached_input, TariffUse::input},
                                       {TariffUse::batch_input, TariffUse::input},
                                       {TariffUse::batch_output, TariffUse::output}};

std::optional<std::string> dear_discount(const Tariff& tariff) {
  for (const DiscountPair& pair : kDiscounts) {
    const TariffFigure *lower = tariff.figure(pair.discounted), *plain = tariff.figure(pair.plain);
    if (lower != nullptr && plain != nullptr && lower->price > plain->price) {
      return fmt::format("{} {:.4g} / {:.4g}", enum_name(pair.discounted), lower->price / kUsd, plain->price / kUsd);
    }
  }
  return std::nullopt;
}

// Carries the offers that were seen.
class TariffChecker {
 public:
  explicit TariffChecker(std::span<const Tariff> known) : medians_(medians_of(known)) {}

  // The findings of one row; each fault once.
  std::map<BookFault, std::string> findings_of(const Tariff& tariff) {
    std::map<BookFault, std::string> found;
    for (const TariffFigure& figure : tariff.figures) {
      const TariffPoint point{&tariff, &figure};
      if (const auto again = seen_.see({point.offer(), tariff.as_of.value_or(Date{})}, figure.price / kUsd)) {
        found.emplace(again->fault, fmt::format("{:.4g} / {:.4g}", figure.price / kUsd, again->first));
      }
      const auto median = medians_.find(median_key(point));
      if (median == medians_.end() || !(figure.price > Usd{})) {
        continue;
      }
      if (const std::optional<BookFault> fault = order_fault(point, median->second)) {
        found.emplace(*fault, fmt::format("{:.4g} / {:.4g}", figure.comparable() / kUsd, median->second / kUsd));
      }
    }
    if (found.contains(BookFault::conflict)) {
      found.erase(BookFault::duplicate);  // some of its figures are new
    }
    if (std::optional<std::string> detail = dear_discount(tariff)) {
      found.emplace(BookFault::discount_above_list, std::move(*detail));
    }
    return found;
  }

 private:
  Medians medians_;
  SeenOffers<std::pair<TariffKey, Date>, double> seen_;
};

}  // namespace

TariffKey TariffPoint::offer() const {
  return {tariff->service, tariff->provider, tariff->item, tariff->variant, tariff->kind, figure->use, figure->unit};
}

std::vector<TariffPoint> points_of(std::span<const Tariff> tariffs) {
  std::vector<TariffPoint> points;
  for (const Tariff& tariff : tariffs) {
    for (const TariffFigure& figure : tariff.figures) {
      points.push_back({&tariff, &figure});
    }
  }
  return points;
}

TariffBook checked(TariffBook book, std::span<const Tariff> known) {
  TariffChecker checker(known);
  std::vector<Tariff> kept;
  std::vector<std::string> places;
  for (std::size_t row = 0; row < book.tariffs.size(); ++row) {
    const std::map<BookFault, std::string> found = checker.findings_of(book.tariffs[row]);
    for (const auto& [fault, detail] : found) {
      book.findings.push_back({fault, book.places[row], detail});
    }
    const bool out = std::any_of(found.begin(), found.end(), [](const auto& one) { return excludes(one.first); });
    if (!out) {
      kept.push_back(std::move(book.tariffs[row]));
      places.push_back(std::move(book.places[row]));
    }
  }
  book.tariffs = std::move(kept);
  book.places = std::move(places);
  return book;
}

}  // namespace mekiki
