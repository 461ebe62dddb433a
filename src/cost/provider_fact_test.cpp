#include "cost/provider_fact.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr const char* kHeader = "provider,topic,value,evidence,source,as_of\n";

Result<std::vector<ProviderFact>> facts_of(const std::string& rows) {
  Provider cloud;
  cloud.id = "cloud";
  const Provider providers[] = {cloud};
  return read_provider_facts(kHeader + rows, "facts.csv", providers);
}

TEST(ProviderFacts, WhatNobodySaysIsNotMet) {
  const auto facts =
      facts_of("cloud,region,asia-1 (Tokyo),claimed,page,2026-11-01\ncloud,tenancy,dedicated,contract,letter,\n");
  ASSERT_TRUE(facts) << describe(facts.error());
  EXPECT_EQ(facts->at(1).evidence, FactEvidence::contract);
  EXPECT_FALSE(facts->at(1).as_of);
  const struct {
    const char* text;
    bool met;
  } table[] = {{"region=tokyo", true},
               {"region=osaka", false},
               {"tenancy=dedicated", true},
               {"compliance=soc", false},
               {"tenancy=tokyo", false}};
  for (const auto& row : table) {
    const auto requirement = parse_requirement(row.text);
    ASSERT_TRUE(requirement) << row.text;
    EXPECT_EQ(meets(*facts, "cloud", *requirement), row.met) << row.text;
    EXPECT_FALSE(meets(*facts, "other", *requirement)) << row.text;
  }
  for (const char* text : {"region", "region=", "weather=fine", ""}) {
    EXPECT_FALSE(parse_requirement(text)) << text;
  }
}

TEST(ProviderFacts, RefusesRowsThatSayNothing) {
  const struct {
    const char* row;
    const char* expected;
  } table[] = {
      {"nobody,region,x,claimed,page,\n", "facts.csv:2:provider: there is no provider \"nobody\""},
      {"cloud,region,,claimed,page,\n", "facts.csv:2:value: is empty"},
      {"cloud,region,x,claimed,,\n", "facts.csv:2:source: is empty"},
      {"cloud,region,x,claimed,page,soon\n", "facts.csv:2:as_of: \"soon\" is no date"},
  };
  for (const auto& row : table) {
    const auto facts = facts_of(row.row);
    ASSERT_FALSE(facts) << row.row;
    EXPECT_EQ(describe(facts.error()), row.expected);
  }
  EXPECT_FALSE(facts_of("cloud,wether,x,claimed,page,\n"));
  EXPECT_FALSE(facts_of("cloud,region,x,heard,page,\n"));
  EXPECT_FALSE(read_provider_facts("provider,topic\n", "facts.csv", {}));
}

}  // namespace
}  // namespace mekiki
