#include "search/offer_filter.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(OfferFilter, RegionsAndTenanciesAreStatedDeniedOrUnknown) {
  const std::vector<std::string> asked{"us-east", "Tokyo"};
  const struct {
    std::string_view region;
    OfferFit fit;
  } regions[] = {{"us-east-1", OfferFit::states_it},
                 {"US-EAST-2", OfferFit::states_it},
                 {"asia-northeast1 (tokyo)", OfferFit::states_it},
                 {"eu-north-1", OfferFit::states_another},
                 {"eastus", OfferFit::states_another},
                 {"", OfferFit::states_nothing},
                 {"unspecified (provider headline)", OfferFit::states_nothing},
                 {"mixed", OfferFit::states_nothing},
                 {"all listed", OfferFit::states_nothing}};
  for (const auto& c : regions) {
    EXPECT_EQ(region_fit(c.region, asked), c.fit) << c.region;
    EXPECT_EQ(region_fit(c.region, {}), OfferFit::states_it) << c.region;
  }
  const std::vector<Tenancy> secure{Tenancy::secure, Tenancy::dedicated};
  EXPECT_EQ(tenancy_fit(Tenancy::dedicated, secure), OfferFit::states_it);
  EXPECT_EQ(tenancy_fit(Tenancy::community, secure), OfferFit::states_another);
  EXPECT_EQ(tenancy_fit(Tenancy::unknown, secure), OfferFit::states_nothing);
  EXPECT_EQ(tenancy_fit(Tenancy::unknown, {}), OfferFit::states_it);
}

PriceChoice choice(std::string_view region, Tenancy tenancy, PriceKind kind = PriceKind::on_demand) {
  PriceChoice choice;
  choice.offer.price.region = region;
  choice.offer.price.tenancy = tenancy;
  choice.offer.price.kind = kind;
  return choice;
}

TEST(OfferFilter, EveryOfferIsTakenOrCountedOnce) {
  const std::vector<PriceChoice> prices{choice("us-east-1", Tenancy::secure),
                                        choice("us-east-1", Tenancy::unknown),
                                        choice("mixed", Tenancy::secure),
                                        choice("mixed", Tenancy::community),
                                        choice("eu-north-1", Tenancy::unknown),
                                        choice("us-east-1", Tenancy::secure, PriceKind::spot)};
  const Machine machine;
  const PriceKind kinds[] = {PriceKind::on_demand};
  PlanFilters filters{.regions = {"us-east"}, .tenancies = {Tenancy::secure}};
  const SortedOffers strict = offers_of(machine, prices, kinds, filters);
  EXPECT_EQ(strict.taken, std::vector{&prices[0]});
  EXPECT_EQ(strict.counts.elsewhere, 2);
  EXPECT_EQ(strict.counts.unknown_left_out, 2);
  filters.unknown_offers = UnknownOffers::keep;
  const SortedOffers open = offers_of(machine, prices, kinds, filters);
  EXPECT_EQ(open.taken, (std::vector{&prices[0], &prices[1], &prices[2]}));
  EXPECT_EQ(open.counts.unknown_kept, 2);
  EXPECT_EQ(open.counts.elsewhere, 2);
}

TEST(OfferFilter, TheFamilyIsTheFirstWordOfTheArchitecture) {
  Gpu gpu;
  gpu.architecture = "Hopper GH100";
  EXPECT_EQ(gpu_family(gpu), "hopper");
  gpu.architecture = "CDNA3";
  EXPECT_EQ(gpu_family(gpu), "cdna3");
}

}  // namespace
}  // namespace mekiki
