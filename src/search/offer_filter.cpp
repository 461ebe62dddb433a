#include "search/offer_filter.h"

#include <algorithm>

#include "base/letter_case.h"

namespace mekiki {
namespace {

bool is_no_place(std::string_view region) {
  constexpr std::string_view kNoPlace[] = {"unspecified", "mixed", "marketplace", "all"};
  return region.empty() || std::any_of(std::begin(kNoPlace), std::end(kNoPlace), [&](std::string_view word) {
           return region.starts_with(word);
         });
}

bool is_of(const PriceChoice& price, const Machine& machine) {
  const System& system = price.offer.system;
  return system.id == machine.system.id && system.gpu_id == machine.system.gpu_id && system.gpus == machine.system.gpus;
}

}  // namespace

std::string gpu_family(const Gpu& gpu) {
  return lower_case(gpu.architecture.substr(0, gpu.architecture.find(' ')));
}

OfferFit region_fit(std::string_view region, std::span<const std::string> asked) {
  const std::string stated = lower_case(region);
  const bool named = asked.empty() || std::any_of(asked.begin(), asked.end(), [&](const std::string& text) {
                       return stated.find(lower_case(text)) != std::string::npos;
                     });
  if (named) {
    return OfferFit::states_it;
  }
  return is_no_place(stated) ? OfferFit::states_nothing : OfferFit::states_another;
}

OfferFit tenancy_fit(Tenancy tenancy, std::span<const Tenancy> asked) {
  if (asked.empty() || std::find(asked.begin(), asked.end(), tenancy) != asked.end()) {
    return OfferFit::states_it;
  }
  return tenancy == Tenancy::unknown ? OfferFit::states_nothing : OfferFit::states_another;
}

SortedOffers offers_of(const Machine& machine,
                       std::span<const PriceChoice> prices,
                       std::span<const PriceKind> kinds,
                       const PlanFilters& filters) {
  SortedOffers sorted;
  for (const PriceChoice& choice : prices) {
    const Price& price = choice.offer.price;
    const bool of_a_kind = std::find(kinds.begin(), kinds.end(), price.kind) != kinds.end();
    if (!is_of(choice, machine) || price.currency != kPlanCurrency || !of_a_kind) {
      continue;
    }
    const OfferFit fit =
        std::max(region_fit(price.region, filters.regions), tenancy_fit(price.tenancy, filters.tenancies));
    const bool elsewhere = fit == OfferFit::states_another;
    const bool unknown = fit == OfferFit::states_nothing;
    const bool kept = unknown && filters.unknown_offers == UnknownOffers::keep;
    sorted.counts.elsewhere += elsewhere ? 1 : 0;
    sorted.counts.unknown_left_out += unknown && !kept ? 1 : 0;
    sorted.counts.unknown_kept += kept ? 1 : 0;
    if (!elsewhere && (!unknown || kept)) {
      sorted.taken.push_back(&choice);
    }
  }
  return sorted;
}

}  // namespace mekiki
