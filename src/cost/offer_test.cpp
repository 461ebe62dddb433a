#include "cost/offer.h"

#include <string>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr LinkLevel kSwitch[] = {{LinkKind::nvswitch, 8, std::nullopt}};

System system_of(Name id, Name instance, Name gpu_id, std::int64_t gpus) {
  System system;
  system.id = id;
  system.provider = "cloud";
  system.instance = instance;
  system.gpu_id = gpu_id;
  system.gpus = system.gpus_max = gpus;
  system.links = kSwitch;
  return system;
}

Price price_of(
    Name id, Name sku, Name gpu_id, std::int64_t gpus, double usd_per_hour, const char* as_of = "2026-11-01") {
  Price price;
  price.id = id;
  price.provider = "cloud";
  price.sku = sku;
  price.gpu_id = gpu_id;
  price.gpus = gpus;
  price.per_unit = usd_per_hour * kUsdPerHour;
  price.as_of = parse_date(as_of).value();
  price.includes_host = Answer::yes;
  return price;
}

constexpr PriceGpu kMeanings[] = {{"big-sxm", "", "big-sxm5", "", ""},
                                  {"big", "", "", "big-sxm5 big-pcie", "no form factor"},
                                  {"big", "c8.metal", "big-sxm5", "", "the instance has SXM boards"},
                                  {"ghost", "", "", "", "not in the catalogue"}};

std::string joined(std::vector<System> systems, Price price) {
  const Price prices[] = {price};
  const JoinedOffers result = join_offers({systems, prices, kMeanings});
  std::string text;
  for (const Offer& offer : result.offers) {
    text += std::string(offer.system.id) + " " + std::string(enum_name(offer.quality)) + " x" +
            std::to_string(offer.units) + "; ";
  }
  for (const UnjoinedPrice& unjoined : result.unjoined) {
    text += std::string(enum_name(unjoined.cause));
  }
  return text;
}

TEST(JoinOffers, SaysHowWellNamesAgree) {
  const System c8 = system_of("c8", "c8.metal", "big-sxm5", 8);
  const System d8 = system_of("d8", "d8.metal", "big-sxm5", 8);
  const System one = system_of("one", "c1.small", "big-sxm5", 1);
  const System card = system_of("card", "p4.pcie", "big-pcie", 4);
  const struct {
    const char* name;
    std::vector<System> systems;
    Price price;
    const char* expected;
  } table[] = {
      {"instance", {c8, d8}, price_of("p", "c8.metal", "big-sxm", 8, 9), "c8 exact x1; "},
      {"instance with more words",
       {c8, d8},
       price_of("p", "C8_metal Capacity Block", "big-sxm", 8, 9),
       "c8 exact x1; "},
      {"number of GPUs, one system", {c8, one}, price_of("p", "", "big-sxm", 8, 9), "c8 exact x1; "},
      {"number of GPUs, two systems", {c8, d8}, price_of("p", "", "big-sxm", 8, 9), "c8 similar x1; d8 similar x1; "},
      {"one GPU for a node of eight", {c8}, price_of("p", "", "big-sxm", 1, 2), "c8 similar x8; "},
      {"one GPU where there is such a system",
       {c8, one},
       price_of("p", "", "big-sxm", 1, 2),
       "c8 similar x8; one exact x1; "},
      {"without a form factor: never exact", {c8, card}, price_of("p", "", "big", 8, 9), "c8 similar x1; "},
      {"without a form factor, though the number fits", {card}, price_of("p", "", "big", 4, 9), "card similar x1; "},
      {"the book's sku tells the form", {c8, card}, price_of("p", "c8.metal", "big", 8, 9), "c8 exact x1; "},
      {"larger than any system", {one, card}, price_of("p", "", "big-sxm", 8, 9), "other_size"},
      {"no divisor", {c8}, price_of("p", "", "big-sxm", 3, 9), "other_size"},
      {"other GPU", {card}, price_of("p", "", "big-sxm", 4, 9), "no_system_with_gpu"},
      {"no such product", {c8}, price_of("p", "", "ghost", 8, 9), "unknown_gpu"},
      {"name that no table has", {c8}, price_of("p", "", "huge", 8, 9), "unknown_gpu"},
      {"no system of the provider", {}, price_of("p", "", "big-sxm", 8, 9), "no_system_of_provider"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(joined(row.systems, row.price), row.expected) << row.name;
  }
}

TEST(JoinOffers, OtherProvidersNeverJoin) {
  Price price = price_of("p", "c8.metal", "big-sxm", 8, 9);
  price.provider = "other";
  EXPECT_EQ(joined({system_of("c8", "c8.metal", "big-sxm5", 8)}, price), "no_system_of_provider");
}

TEST(JoinOffers, PodsBecomeConcrete) {
  System pod = system_of("pod", "any pod", kAnyGpu, 1);
  pod.gpus_max = 4;
  pod.links = {};
  EXPECT_EQ(joined({pod}, price_of("p", "", "big-sxm", 1, 2)), "pod exact x1; pod similar x2; pod similar x4; ");
  EXPECT_EQ(joined({pod}, price_of("p", "", "big", 1, 2)), "no_system_with_gpu");
  const Price prices[] = {price_of("p", "", "big-sxm", 1, 2)};
  const JoinedOffers result = join_offers({{&pod, 1}, prices, kMeanings});
  EXPECT_EQ(result.offers[2].system.gpu_id, "big-sxm5");
  EXPECT_EQ(result.offers[2].system.gpus, 4);
  EXPECT_EQ(link_for_group(result.offers[2].system, 4).kind, LinkKind::pcie);
  EXPECT_DOUBLE_EQ(result.offers[2].per_node() / kUsdPerHour, 8.0);
}

TEST(JoinOffers, EveryPriceAndSystemIsAccountedFor) {
  const System systems[] = {system_of("c8", "c8.metal", "big-sxm5", 8), system_of("card", "p4.pcie", "big-pcie", 4)};
  const Price prices[] = {price_of("a", "", "big-sxm", 8, 9), price_of("b", "", "ghost", 8, 9)};
  const JoinedOffers result = join_offers({systems, prices, kMeanings});
  ASSERT_EQ(result.offers.size(), 1u);
  EXPECT_EQ(result.offers[0].price.id, "a");
  ASSERT_EQ(result.unjoined.size(), 1u);
  EXPECT_EQ(result.unjoined[0].price_id, "b");
  ASSERT_EQ(result.unpriced_systems.size(), 1u);
  EXPECT_EQ(result.unpriced_systems[0], "card");
}

TEST(StalenessOf, FollowsTheKind) {
  const struct {
    PriceKind kind;
    std::int64_t age;
    Staleness expected;
  } table[] = {
      {PriceKind::on_demand, 0, Staleness::fresh},
      {PriceKind::on_demand, 13, Staleness::fresh},
      {PriceKind::on_demand, 14, Staleness::ageing},
      {PriceKind::reserved, 29, Staleness::ageing},
      {PriceKind::on_demand, 30, Staleness::stale},
      {PriceKind::committed, 59, Staleness::stale},
      {PriceKind::on_demand, 60, Staleness::outdated},
      {PriceKind::spot, 1, Staleness::fresh},
      {PriceKind::spot, 2, Staleness::stale},
      {PriceKind::marketplace, 2, Staleness::stale},
      {PriceKind::marketplace, 60, Staleness::outdated},
  };
  for (const auto& row : table) {
    EXPECT_EQ(staleness_of(row.kind, row.age), row.expected) << enum_name(row.kind) << " " << row.age;
  }
}

std::string chosen(const std::vector<Price>& prices, const char* day) {
  const System systems[] = {system_of("c8", "c8.metal", "big-sxm5", 8)};
  const JoinedOffers result = join_offers({systems, prices, kMeanings});
  std::string text;
  for (const PriceChoice& choice : choose_prices(result.offers, parse_date(day).value())) {
    text += std::string(choice.offer.price.id) + " " + std::to_string(choice.age_days) + " " +
            std::string(enum_name(choice.staleness)) + "; ";
  }
  return text;
}

TEST(ChoosePrices, ExactBeforeSimilarThenNewestThenCheapest) {
  const Price exact_old = price_of("exact-old", "c8.metal", "big-sxm", 8, 9, "2026-09-01");
  const Price exact_new = price_of("exact-new", "c8.metal", "big-sxm", 8, 11, "2026-10-20");
  const Price exact_cheap = price_of("exact-cheap", "c8.metal", "big-sxm", 8, 10, "2026-10-20");
  const Price similar_newest = price_of("similar", "", "big-sxm", 1, 1, "2026-11-09");
  EXPECT_EQ(chosen({exact_old, similar_newest}, "2026-11-10"), "exact-old 70 outdated; ");
  EXPECT_EQ(chosen({exact_old, exact_new}, "2026-11-10"), "exact-new 21 ageing; ");
  EXPECT_EQ(chosen({exact_new, exact_cheap}, "2026-11-10"), "exact-cheap 21 ageing; ");
  EXPECT_EQ(chosen({exact_cheap, exact_new}, "2026-11-10"), "exact-cheap 21 ageing; ");
}

TEST(ChoosePrices, KnowsOnlyThePricesOfItsDay) {
  const Price before = price_of("before", "c8.metal", "big-sxm", 8, 9, "2026-09-01");
  const Price after = price_of("after", "c8.metal", "big-sxm", 8, 11, "2026-10-20");
  EXPECT_EQ(chosen({before, after}, "2026-09-05"), "before 4 fresh; ");
  EXPECT_EQ(chosen({after}, "2026-09-05"), "");
  Price announced = after;
  announced.id = "announced";
  announced.valid_from = parse_date("2026-12-01").value();
  Price ending = price_of("ending", "c8.metal", "big-sxm", 8, 9, "2026-10-20");
  ending.valid_to = parse_date("2026-11-30").value();
  EXPECT_EQ(chosen({announced, ending}, "2026-11-30"), "ending 41 stale; ");
  EXPECT_EQ(chosen({announced, ending}, "2026-12-01"), "announced 42 stale; ");
}

TEST(ChoosePrices, NeverTakesADoubtfulOrPartialPrice) {
  Price doubted = price_of("doubted", "c8.metal", "big-sxm", 8, 1);
  doubted.doubt = "too good";
  Price bare = price_of("bare", "c8.metal", "big-sxm", 8, 1);
  bare.includes_host = Answer::no;
  EXPECT_EQ(chosen({doubted, bare}, "2026-11-10"), "");
}

TEST(ChoosePrices, KindsStandSideBySideWithTheirRange) {
  const System systems[] = {system_of("c8", "c8.metal", "big-sxm5", 8)};
  std::vector<Price> prices = {price_of("list", "c8.metal", "big-sxm", 8, 20),
                               price_of("spot-now", "c8.metal", "big-sxm", 8, 10),
                               price_of("spot-dear", "c8.metal", "big-sxm", 8, 16, "2026-10-01"),
                               price_of("spot-long-ago", "c8.metal", "big-sxm", 8, 2, "2026-01-01")};
  for (std::size_t i = 1; i < prices.size(); ++i) {
    prices[i].kind = PriceKind::spot;
  }
  const JoinedOffers result = join_offers({systems, prices, kMeanings});
  const std::vector<PriceChoice> choices = choose_prices(result.offers, parse_date("2026-11-03").value());
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].offer.price.id, "list");
  EXPECT_EQ(choices[1].offer.price.id, "spot-now");
  EXPECT_EQ(choices[1].staleness, Staleness::stale);
  EXPECT_DOUBLE_EQ(choices[1].low / kUsdPerHour, 10.0);
  EXPECT_DOUBLE_EQ(choices[1].high / kUsdPerHour, 16.0);
}

}  // namespace
}  // namespace mekiki
