#include "base/rule_table.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr RuleKey kKeys[] = {{"restart", "s"}, {"losses", "per day"}};
constexpr std::string_view kHeader = "key,low,mid,high,unit,basis,source,notes\n";

std::string table(std::string_view rows) {
  return std::string(kHeader) + std::string(rows);
}

TEST(RuleTable, RulesComeInTheOrderOfTheKeys) {
  const auto rules =
      read_rules(table("losses,0,1,2,per day,measured,a log,\nrestart,1,2,3,s,assumed,,slow\n"), "r.csv", kKeys);
  ASSERT_TRUE(rules);
  ASSERT_EQ(rules->size(), 2U);
  EXPECT_EQ((*rules)[0].key, "restart");
  EXPECT_EQ((*rules)[0].value.mid, 2.0);
  EXPECT_EQ((*rules)[0].value.basis, Basis::assumed);
  EXPECT_EQ((*rules)[1].value.basis, Basis::measured);
  EXPECT_EQ((*rules)[1].source, "a log");
}

TEST(RuleTable, RefusesWhatIsNotARule) {
  struct Case {
    std::string_view name, rows, subject;
  };
  const Case cases[] = {
      {"unknown key", "restrat,1,2,3,s,assumed,,\n", "r.csv:2"},
      {"twice", "restart,1,2,3,s,assumed,,\nrestart,1,2,3,s,assumed,,\n", "r.csv:3"},
      {"other unit", "restart,1,2,3,min,assumed,,\n", "r.csv:2"},
      {"no basis", "restart,1,2,3,s,guess,,\n", "r.csv:2"},
      {"disorder", "restart,3,2,1,s,assumed,,\n", "r.csv:2"},
      {"negative", "restart,-1,2,3,s,assumed,,\n", "r.csv:2"},
      {"no number", "restart,a,2,3,s,assumed,,\n", "r.csv:2"},
      {"missing", "restart,1,2,3,s,assumed,,\n", "r.csv"},
  };
  for (const Case& c : cases) {
    const auto rules = read_rules(table(c.rows), "r.csv", kKeys);
    ASSERT_FALSE(rules) << c.name;
    EXPECT_EQ(rules.error().code, ErrorCode::invalid_input) << c.name;
    EXPECT_EQ(rules.error().subject, c.subject) << c.name;
  }
  EXPECT_FALSE(read_rules("key,low\nrestart,1\n", "r.csv", kKeys));
}

}  // namespace
}  // namespace mekiki
