// Offer: a system with a price, and how well the two fit. Price books name products loosely; an offer says how far the
// names agree, so that nothing is priced by guess.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cost/price.h"
#include "hardware/system.h"

namespace mekiki {

/// exact: provider, GPU and instance agree, or provider, GPU and the number of GPUs where only one system of the
/// provider has both. similar: the price is of a smaller unit of the same GPU, or one of several systems, or its book
/// does not say which form of the GPU it means. none: no price.
enum class JoinQuality : std::uint8_t { none, similar, exact };

template <>
struct EnumNames<JoinQuality> {
  static constexpr std::array<std::string_view, 3> value = {"none", "similar", "exact"};
};

struct Offer {
  System system;  // pods are concrete here
  Price price;
  JoinQuality quality = JoinQuality::none;
  std::int64_t units = 1;  // purchasable units that make one node

  /// Of a whole node: nobody sells a part of it under this price.
  UsdPerSecond per_node() const { return *price.per_unit * static_cast<double>(units); }
};

/// Why a price joins no system.
enum class UnjoinedCause : std::uint8_t {
  no_system_of_provider,
  unknown_gpu,  // the catalogue has no such product, or the book names none
  no_system_with_gpu,
  other_size,     // a unit larger than the systems with this GPU, or no divisor of them
  other_instance  // the book names an instance that the catalogue lacks
};

template <>
struct EnumNames<UnjoinedCause> {
  static constexpr std::array<std::string_view, 5> value = {
      "no_system_of_provider", "unknown_gpu", "no_system_with_gpu", "other_size", "other_instance"};
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

struct JoinTables {
  std::span<const System> systems;
  std::span<const Price> prices;
  std::span<const PriceGpu> price_gpus;
};

/// All pairs that fit. Prices are joined whatever their age and however doubtful; choose_prices decides between them.
JoinedOffers join_offers(const JoinTables& tables);

/// What a price book means by the GPU of a price; null where the book's name is not in the table.
const PriceGpu* meaning_of(const Price& price, std::span<const PriceGpu> price_gpus);

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
  /// Of a whole node, over the usable offers of this system and kind of the same quality that are at most 60 days older
  /// than the chosen one.
  UsdPerSecond low;
  UsdPerSecond high;
};

/// For each system and kind the best offer that was known and in force on `day`: exact before similar, then the newest,
/// then the cheapest. Suspect prices and accelerators without their machine are never chosen. In the order of the
/// offers.
std::vector<PriceChoice> choose_prices(std::span<const Offer> offers, Date day);

}  // namespace mekiki
