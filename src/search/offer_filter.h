// Which offers of a machine a request takes: kind of price, currency, region, tenancy.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "search/plan.h"

namespace mekiki {

/// The first word of its architecture in lower case: "hopper" of "Hopper GH100".
std::string gpu_family(const Gpu& gpu);

/// What an offer says of a region or tenancy that is asked for; of several askings the last of these counts.
enum class OfferFit : std::uint8_t { states_it, states_nothing, states_another };

/// Region: the name of the offer's holds the text, case ignored. Names that stand for no one place ("unspecified",
/// "mixed", "marketplace", none) and prices of all regions state nothing.
OfferFit region_fit(std::string_view region, std::span<const std::string> asked);
OfferFit tenancy_fit(Tenancy tenancy, std::span<const Tenancy> asked);

/// The prices of one machine, sorted out.
struct SortedOffers {
  std::vector<const PriceChoice*> taken;
  OfferCounts counts;
};

/// Of the asked kinds, in the currency of the totals, in the asked region and tenancy.
SortedOffers offers_of(const Machine& machine,
                       std::span<const PriceChoice> prices,
                       std::span<const PriceKind> kinds,
                       const PlanFilters& filters);

}  // namespace mekiki
