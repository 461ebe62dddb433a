#include "catalog/books/book_check.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "base/quantile.h"
#include "cost/offer.h"
#include "cost/seen_offers.h"

namespace mekiki {
namespace {

// One offer on one day.
using OfferKey = std::tuple<Name, Name, Name, std::int64_t, Name, PriceKind, Tenancy, double, Date, Date>;

OfferKey offer_of(const Price& price) {
  const double commitment = price.commitment ? price.commitment->base() : 0.0;
  return {price.provider,
          price.sku,
          price.gpu_id,
          price.gpus,
          price.region,
          price.kind,
          price.tenancy,
          commitment,
          price.as_of,
          price.valid_from.value_or(price.as_of)};
}

double per_hour(const Price& price) {
  return *price.per_unit / kUsdPerHour;
}

double per_gpu(const Price& price) {
  return per_hour(price) / static_cast<double>(price.gpus);
}

// What a GPU costs by the hour, apart for prices that move by the day.
using MedianKey = std::pair<Name, bool>;
using Medians = std::map<MedianKey, double>;

bool counts(const Price& price) {
  return price.per_unit && is_plannable(price);
}

Medians medians_of(std::span<const Price> known, PriceJoiner& joiner) {
  constexpr std::size_t kFewest = 3;
  std::map<MedianKey, std::vector<double>> values;
  for (const Price& price : known) {
    const PriceGpu* meaning = joiner.join(price).meaning;
    if (counts(price) && meaning != nullptr && !meaning->gpu_id.empty()) {
      values[{meaning->gpu_id, moves_daily(price.kind)}].push_back(per_gpu(price));
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

bool near(double value, double reference) {
  return value >= 0.4 * reference && value <= 2.5 * reference;
}

// GPUs of the node that a price of one GPU is held against.
constexpr double kNode = 8.0;

std::optional<BookFault> order_fault(const Price& price, double median) {
  const double one = per_gpu(price), unit = per_hour(price);
  if (price.gpus > 2 && one < median / 3.0 && near(unit, median)) {
    return BookFault::price_of_one_gpu;
  }
  if (price.gpus == 1 && one > 4.0 * median && near(one / kNode, median)) {
    return BookFault::price_of_whole_node;
  }
  if (one > 5.0 * median || one < median / 10.0) {
    return BookFault::outlier;
  }
  return std::nullopt;
}

class Checker {
 public:
  Checker(std::span<const Price> prices, std::span<const Price> known, const JoinTables& tables)
      : prices_(prices), tables_(tables), joiner_(tables), medians_(medians_of(known, joiner_)) {
    for (const Price& price : prices) {
      if (price.kind == PriceKind::on_demand && price.per_unit) {
        list_prices_.insert_or_assign(spot_place(price), per_hour(price));
      }
    }
  }

  std::vector<RowFinding> run() {
    for (std::size_t row = 0; row < prices_.size(); ++row) {
      const Price& price = prices_[row];
      if (!price.per_unit || is_duplicate(row, price)) {
        continue;
      }
      check_order(row, price);
      check_spot(row, price);
      check_sku(row, price);
    }
    return std::move(findings_);
  }

 private:
  using SpotPlace = std::tuple<Name, Name, Name, std::int64_t, Name, Date>;

  static SpotPlace spot_place(const Price& price) {
    return {price.provider, price.sku, price.gpu_id, price.gpus, price.region, price.as_of};
  }

  void add(std::size_t row, BookFault fault, std::string detail) {
    findings_.push_back({row, fault, std::move(detail)});
  }

  bool is_duplicate(std::size_t row, const Price& price) {
    const auto again = seen_.see(offer_of(price), per_hour(price));
    if (again) {
      add(row, again->fault, fmt::format("{:.4g} / {:.4g}", per_hour(price), again->first));
    }
    return again && again->fault == BookFault::duplicate;
  }

  void check_order(std::size_t row, const Price& price) {
    const PriceGpu* meaning = joiner_.join(price).meaning;
    if (!counts(price) || meaning == nullptr || meaning->gpu_id.empty()) {
      return;
    }
    const auto median = medians_.find({meaning->gpu_id, moves_daily(price.kind)});
    if (median == medians_.end()) {
      return;
    }
    if (const std::optional<BookFault> fault = order_fault(price, median->second)) {
      add(row, *fault, fmt::format("{:.4g} / {:.4g}", per_gpu(price), median->second));
    }
  }

  void check_spot(std::size_t row, const Price& price) {
    const auto list = price.kind == PriceKind::spot ? list_prices_.find(spot_place(price)) : list_prices_.end();
    if (list != list_prices_.end() && per_hour(price) >= list->second) {
      add(row, BookFault::spot_above_list, fmt::format("{:.4g} / {:.4g}", per_hour(price), list->second));
    }
  }

  // Only what is written like the name of an instance: books also write plain words there.
  void check_sku(std::size_t row, const Price& price) {
    const bool like_a_name = price.sku.find_first_of("._-") != Name::npos && price.sku.find(' ') == Name::npos;
    if (!like_a_name || joiner_.join(price).sku_names_system || !known_skus_missing_.insert(price.sku).second) {
      return;
    }
    std::vector<std::string_view> instances;
    for (const System& system : tables_.systems) {
      if (system.provider == price.provider && !is_pod(system)) {
        instances.push_back(system.instance);
      }
    }
    if (!instances.empty()) {
      const std::string hint = did_you_mean(price.sku, instances);
      add(row, BookFault::unknown_sku, std::string(price.sku) + (hint.empty() ? "" : ": " + hint));
    }
  }

  std::span<const Price> prices_;
  JoinTables tables_;
  PriceJoiner joiner_;
  Medians medians_;
  std::map<SpotPlace, double> list_prices_;
  SeenOffers<OfferKey, double> seen_;
  std::set<Name> known_skus_missing_;  // each is told once
  std::vector<RowFinding> findings_;
};

}  // namespace

std::vector<RowFinding> check_book(std::span<const Price> prices,
                                   std::span<const Price> known,
                                   const JoinTables& tables) {
  return Checker(prices, known, tables).run();
}

}  // namespace mekiki
