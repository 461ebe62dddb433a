// Offer: a system with a price, and how well the two fit. Price books name products loosely; an offer says how far the
// names agree, so that nothing is priced by guess.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cost/price.h"
#include "cost/price_join.h"
#include "hardware/system.h"

namespace mekiki {

struct Offer {
  System system;  // pods are concrete here
  Price price;
  JoinQuality quality = JoinQuality::none;
  std::int64_t units = 1;  // purchasable units that make one node

  /// Of a whole node: nobody sells a part of it under this price.
  UsdPerSecond per_node() const { return *price.per_unit * static_cast<double>(units); }
};

struct UnjoinedPrice {
  Name price_id;
  UnjoinedCause cause = UnjoinedCause::no_system_of_provider;
};

struct JoinedOffers {
  std::vector<Offer> offers;  // in the order of the prices, then of the systems
  std::vector<UnjoinedPrice> unjoined;
  std::vector<Name> unpriced_systems;  // ids; listed apart, never priced by guess
};

/// All pairs that fit. Prices are joined whatever their age and however doubtful; choose_prices decides between them.
JoinedOffers join_offers(const JoinTables& tables);

/// fresh: current. ageing: worth a note (14 days). stale: worth a warning (30 days; spot and marketplace after one).
/// outdated: not to be called current (60 days).
enum class Staleness : std::uint8_t { fresh, ageing, stale, outdated };

template <>
struct EnumNames<Staleness> {
  static constexpr std::array<std::string_view, 4> value = {"fresh", "ageing", "stale", "outdated"};
};

/// Spot and marketplace prices move by the hour and are always shown as a range.
inline bool moves_daily(PriceKind kind) {
  return kind == PriceKind::spot || kind == PriceKind::marketplace;
}

Staleness staleness_of(PriceKind kind, std::int64_t age_days);

/// The price to plan with, for one system and kind.
struct PriceChoice {
  Offer offer;
  std::int64_t age_days = 0;
  Staleness staleness = Staleness::fresh;
  /// Of a whole node, over the usable offers of this system and kind of the same quality, from the same side (the
  /// user's book or the bundled ones), that are at most 60 days older than the chosen one.
  UsdPerSecond low;
  UsdPerSecond high;
};

/// For each system and kind the best offer that was known and in force on `day`: the user's own book first, then exact
/// before similar, then the newest, then the cheapest. Suspect prices, accelerators without their machine and prices in
/// another currency than kPlanCurrency are never chosen. In the order of the offers.
std::vector<PriceChoice> choose_prices(std::span<const Offer> offers, Date day);

}  // namespace mekiki
