#include "cost/offer.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace mekiki {
namespace {

// The joined system as a value: pods become concrete.
System concrete(const System& system, const JoinedSystem& joined) {
  return is_pod(system) ? pod_of(system, joined.gpu_id, joined.gpus).value() : system;
}

// One kind of one system; of a pod, of one GPU and size.
using ChoiceKey = std::tuple<Name, Name, std::int64_t, PriceKind>;

ChoiceKey key_of(const Offer& offer) {
  return {offer.system.id, offer.system.gpu_id, offer.system.gpus, offer.price.kind};
}

bool usable(const Offer& offer, Date day) {
  return is_plannable(offer.price) && offer.price.as_of <= day && is_valid_on(offer.price, day);
}

bool better(const Offer& a, const Offer& b) {
  const auto rank = [](const Offer& offer) {
    return std::tuple(!offer.price.own,
                      -static_cast<int>(offer.quality),
                      -offer.price.as_of.days,
                      offer.per_node().base(),
                      offer.price.id);
  };
  return rank(a) < rank(b);
}

constexpr std::int32_t kRangeDays = 60;

}  // namespace

JoinedOffers join_offers(const JoinTables& tables) {
  JoinedOffers joined;
  PriceJoiner joiner(tables);
  std::set<Name> priced;
  for (const Price& price : tables.prices) {
    const PriceJoin& join = joiner.join(price);
    if (join.cause) {
      joined.unjoined.push_back({price.id, *join.cause});
    }
    for (const JoinedSystem& row : join.systems) {
      const System& system = tables.systems[row.system];
      joined.offers.push_back({concrete(system, row), price, row.quality, row.units});
      priced.insert(system.id);
    }
  }
  for (const System& system : tables.systems) {
    if (!priced.contains(system.id)) {
      joined.unpriced_systems.push_back(system.id);
    }
  }
  return joined;
}

Staleness staleness_of(PriceKind kind, std::int64_t age_days) {
  if (age_days >= 60) {
    return Staleness::outdated;
  }
  if (age_days >= 30 || (moves_daily(kind) && age_days > 1)) {
    return Staleness::stale;
  }
  return age_days >= 14 ? Staleness::ageing : Staleness::fresh;
}

std::vector<PriceChoice> choose_prices(std::span<const Offer> offers, Date day) {
  std::map<ChoiceKey, std::size_t> places;
  std::vector<PriceChoice> choices;
  for (const Offer& offer : offers) {
    if (!usable(offer, day)) {
      continue;
    }
    const auto [place, is_new] = places.emplace(key_of(offer), choices.size());
    if (is_new) {
      choices.push_back({.offer = offer});
    } else if (PriceChoice& choice = choices[place->second]; better(offer, choice.offer)) {
      choice.offer = offer;
    }
  }
  for (PriceChoice& choice : choices) {
    choice.age_days = day.days - choice.offer.price.as_of.days;
    choice.staleness = staleness_of(choice.offer.price.kind, choice.age_days);
    choice.low = choice.high = choice.offer.per_node();
  }
  for (const Offer& offer : offers) {
    const auto place = places.find(key_of(offer));
    if (place == places.end() || !usable(offer, day)) {
      continue;
    }
    PriceChoice& choice = choices[place->second];
    if (offer.quality == choice.offer.quality && offer.price.own == choice.offer.price.own &&
        choice.offer.price.as_of.days - offer.price.as_of.days <= kRangeDays) {
      choice.low = std::min(choice.low, offer.per_node());
      choice.high = std::max(choice.high, offer.per_node());
    }
  }
  return choices;
}

}  // namespace mekiki
