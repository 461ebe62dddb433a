// The tables under data/rules/ that the search reads.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "search/batch_rule.h"
#include "search/engine_limits.h"
#include "search/search_rules.h"

namespace mekiki {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(MEKIKI_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(BatchRules, SpeakOfEveryMethod) {
  const auto rules = read_batch_rules(file_text("data/rules/batch.csv"), "data/rules/batch.csv");
  ASSERT_TRUE(rules) << describe(rules.error());
  struct Case {
    Method method;
    double weights;
    std::int64_t length, expected;
  };
  // Tokens per step of data/rules/batch.csv over the length.
  const Case cases[] = {{Method::pretraining, 1.2e9, 4096, 128},
                        {Method::continued_pretraining, 8e9, 4096, 1024},
                        {Method::continued_pretraining, 8e9, 5000, 512},
                        {Method::full, 8e9, 4096, 128},
                        {Method::qlora, 70e9, 4096, 32},
                        {Method::lora, 8e9, 1 << 20, 1}};
  for (const Case& c : cases) {
    EXPECT_EQ(usual_global_batch(*rules, c.method, c.weights, c.length), c.expected) << enum_name(c.method);
  }
  for (const Method method : {Method::prompt, Method::prefix}) {
    EXPECT_TRUE(usual_global_batch(*rules, method, 1e9, 2048));
  }
  EXPECT_FALSE(usual_global_batch({}, Method::full, 1e9, 2048));
}

TEST(BatchRules, BadRowsAreNamed) {
  constexpr std::string_view kHeader = "methods,trained_up_to,tokens_per_step,basis,source,notes\n";
  for (const std::string_view row :
       {"fulll,,1024,assumed,,\n", "full,-1,1024,assumed,,\n", "full,,none,assumed,,\n", "full,,1024,guess,,\n"}) {
    const auto rules = read_batch_rules(std::string(kHeader) + std::string(row), "b.csv");
    ASSERT_FALSE(rules) << row;
    EXPECT_EQ(rules.error().subject, "b.csv:2") << row;
  }
}

TEST(SearchRules, SetTheUsualLimit) {
  const auto rules = read_search_rules(file_text("data/rules/search.csv"), "data/rules/search.csv");
  ASSERT_TRUE(rules) << describe(rules.error());
  EXPECT_EQ(usual_most_gpus(*rules, 1.2e9, 1e10), 64);    // the least
  EXPECT_EQ(usual_most_gpus(*rules, 8e9, 1e12), 512);     // a short run wants 1,389, of which the rule gives 512
  EXPECT_EQ(usual_most_gpus(*rules, 405e9, 1e9), 1024);   // states 8 x 81 GPUs
  EXPECT_EQ(usual_most_gpus(*rules, 1e14, 1e15), 16384);  // the most
  EXPECT_GT(rules->waiting_share, 0);
}

TEST(EngineLimits, LimitVendorsNodesAndFamilies) {
  const auto limits = read_engine_limits(file_text("data/rules/engines.csv"), "data/rules/engines.csv");
  ASSERT_TRUE(limits) << describe(limits.error());
  const Gpu nvidia{.vendor = "NVIDIA"}, amd{.vendor = "AMD"};
  const EngineLimits one{.framework = "x", .vendors = {"NVIDIA"}, .most_nodes = 1, .families = {"llama"}};
  EXPECT_TRUE(runs_on(&one, nvidia, 1));
  EXPECT_FALSE(runs_on(&one, nvidia, 2));
  EXPECT_FALSE(runs_on(&one, amd, 1));
  EXPECT_TRUE(trains_family(&one, "llama"));
  EXPECT_FALSE(trains_family(&one, "mixtral"));
  EXPECT_TRUE(runs_on(nullptr, amd, 100));
  EXPECT_TRUE(trains_family(nullptr, "anything"));
  EXPECT_EQ(limits_of_framework(*limits, "no such framework"), nullptr);
  std::size_t planned = 0;
  for (const EngineLimits& l : *limits) {
    planned += l.planned ? 1 : 0;
    EXPECT_TRUE(!l.planned || !l.vendors.empty()) << l.framework;
    EXPECT_TRUE(!l.planned || !l.source.empty()) << l.framework;
  }
  EXPECT_GT(planned, 5U);
}

TEST(EngineLimits, BadRowsAreNamed) {
  constexpr std::string_view kHeader = "framework,planned,vendors,most_nodes,families,source,reason\n";
  for (const std::string_view row : {"x,perhaps,,,,,\n", "x,yes,,0,,,\n", "x,yes,,many,,,\n"}) {
    const auto limits = read_engine_limits(std::string(kHeader) + std::string(row), "e.csv");
    ASSERT_FALSE(limits) << row;
    EXPECT_EQ(limits.error().subject, "e.csv:2") << row;
  }
}

}  // namespace
}  // namespace mekiki
