#include "forecast/rules.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(MEKIKI_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ForecastRules, TheBundledOnesAreInTheirUnits) {
  const auto rules = read_forecast_rules(file_text("data/rules/forecast.csv"), "data/rules/forecast.csv");
  ASSERT_TRUE(rules) << describe(rules.error());
  // data/reference/reliability.csv: Llama 3, 3.79 per 1000 node-days; published clusters between 2.3 and 15.6.
  const double node_day = rules->node_failures.mid.base() * 86400 * 1000;
  EXPECT_NEAR(node_day, 4.0, 1e-9);
  EXPECT_LE(rules->node_failures.low.base() * 86400 * 1000, 2.34);
  EXPECT_GE(rules->node_failures.high.base() * 86400 * 1000, 15.6);
  EXPECT_NEAR(rules->spot_losses.mid.base() * 3600, 0.44, 1e-9);
  EXPECT_DOUBLE_EQ(rules->checkpoint_write_per_node.mid / kGBPerSecond, 1.0);
}

TEST(ForecastRules, ARateOfZeroIsRefused) {
  std::string text = file_text("data/rules/forecast.csv");
  const auto at = text.find("node_failures,2,");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 16, "node_failures,0,");
  EXPECT_FALSE(read_forecast_rules(text, "forecast.csv"));
}

}  // namespace
}  // namespace mekiki
