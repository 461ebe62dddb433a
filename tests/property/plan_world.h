// A plan request over the bundled catalogue, small enough for a test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "catalog/machines.h"
#include "catalog/profile_reader.h"
#include "model/family.h"
#include "search/plan.h"
#include "search/plan_rules.h"

namespace mekiki {

struct PlanWorld {
  const Catalog& catalog = bundled_catalog();
  RatesBook book;
  Market market;
  PlanRules rules;
  std::vector<Profile> profiles;
  Arch arch;

  explicit PlanWorld(const std::vector<std::string>& frameworks,
                     std::string_view config = "data/models/meta-llama__Llama-3.2-1B.json") {
    const auto documents = [this](std::string_view path) { return find_document(catalog, path); };
    book = checked(rates_book(catalog));
    market = checked(market_of(catalog, book, checked(parse_date("2026-11-20"))));
    rules = checked(read_plan_rules(documents));
    for (const std::string& id : frameworks) {
      profiles.push_back(checked(find_profile(catalog, id)));
    }
    arch = checked(read_config(find_document(catalog, config).value(), config)).arch;
  }
  PlanWorld(const PlanWorld&) = delete;
  PlanWorld& operator=(const PlanWorld&) = delete;

  PlanRequest request() const {
    return {.arch = &arch,
            .job = {.sequence_length = 4096, .tokens = 10'000'000'000},
            .profiles = profiles,
            .market = {market.machines, market.prices, market.storage, market.egress},
            .rules = &rules};
  }

  template <class T>
  static T checked(Result<T> result) {
    if (!result) {
      throw std::runtime_error(describe(result.error()));
    }
    return std::move(*result);
  }
};

}  // namespace mekiki
