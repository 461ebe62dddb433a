#include "page/page.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "page/axis.h"
#include "page/line_chart.h"
#include "page/markup.h"

namespace mekiki {
namespace {

TEST(Markup, NoTextBecomesMarkup) {
  struct Case {
    std::string text, markup;
  };
  const Case cases[] = {{"<b a='1'>&\"", "&lt;b a=&#39;1&#39;&gt;&amp;&quot;"},
                        {"価格 €", "価格 €"},
                        {"a\tb\x01\x7f", "a b  "},
                        {"\xff", "\xEF\xBF\xBD"},
                        {"\xc0\xaf", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // an overlong slash
                        {"\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // half of a pair
                        {"\xe2\x80\xae"
                         "evil",
                         " evil"}};  // turns the direction of writing
  for (const Case& c : cases) {
    EXPECT_EQ(escaped(c.text), c.markup);
  }
}

TEST(Markup, ACutTextFitsAndSaysSo) {
  EXPECT_EQ(shortened("short", 10), "short");
  const std::string cut = shortened("ストレージの価格はとても長い", 6);
  EXPECT_LE(drawn_width(cut), 6);
  EXPECT_TRUE(cut.ends_with("…"));
}

TEST(Axis, FiguresReachTheLargestInRoundSteps) {
  struct Case {
    double largest;
    std::vector<std::string> texts;
  };
  const Case cases[] = {{12.3, {"0", "5", "10", "15"}},
                        {0.09, {"0", "0.02", "0.04", "0.06", "0.08", "0.1"}},
                        {7.2, {"0", "2", "4", "6", "8"}},
                        {0, {"0", "0.2", "0.4", "0.6", "0.8", "1"}}};
  for (const Case& c : cases) {
    std::vector<std::string> texts;
    for (const Tick& tick : value_ticks(c.largest, 5)) {
      texts.push_back(tick.text);
    }
    EXPECT_EQ(texts, c.texts) << c.largest;
  }
}

TEST(Axis, DaysAreFirstOfMonthsOrTheTwoEnds) {
  struct Case {
    std::string first, last;
    std::vector<std::string> texts;
  };
  const Case cases[] = {
      {"2026-08-22", "2026-11-29", {"2026-09", "2026-10", "2026-11"}},
      {"2025-11-29", "2026-11-29", {"2026-01", "2026-03", "2026-05", "2026-07", "2026-09", "2026-11"}},
      {"2026-11-01", "2026-11-29", {"2026-11-01", "2026-11-29"}},
      {"2026-11-29", "2026-11-29", {"2026-11-29"}}};
  for (const Case& c : cases) {
    std::vector<std::string> texts;
    for (const Tick& tick : date_ticks(parse_date(c.first).value(), parse_date(c.last).value(), 9)) {
      texts.push_back(tick.text);
    }
    EXPECT_EQ(texts, c.texts) << c.first;
  }
  EXPECT_LE(date_ticks(parse_date("1900-01-01").value(), parse_date("9999-12-31").value(), 9).size(), 10u);
}

TEST(LineChart, NamesNeverOverlap) {
  EXPECT_EQ(spread_apart({10, 10, 10}, 5, 0, 100), (std::vector<double>{10, 15, 20}));
  EXPECT_EQ(spread_apart({90, 99, 99}, 5, 0, 100), (std::vector<double>{90, 95, 100}));
  EXPECT_EQ(spread_apart({50, 50, 50}, 60, 0, 100), (std::vector<double>{0, 50, 100}));
  EXPECT_EQ(spread_apart({}, 5, 0, 100), std::vector<double>{});
}

std::string chart_of(std::optional<Date> old_from, bool is_range) {
  return line_chart_svg({.title = "t",
                         .unit = "u",
                         .last = Date{20100},
                         .lines = {{.name = "<provider>",
                                    .points = {{Date{20000}, 1, 2, 3}, {Date{20050}, 2, 2, 2}},
                                    .is_range = is_range,
                                    .old_from = old_from}}});
}

TEST(LineChart, WhatIsStaleIsDashedAndARangeIsAnArea) {
  EXPECT_NE(chart_of(Date{20080}, false).find(" old\""), std::string::npos);
  EXPECT_EQ(chart_of(std::nullopt, false).find(" old\""), std::string::npos);
  EXPECT_EQ(chart_of(Date{20200}, false).find(" old\""), std::string::npos);
  EXPECT_NE(chart_of(std::nullopt, true).find("area line-0"), std::string::npos);
  EXPECT_EQ(chart_of(std::nullopt, false).find("area"), std::string::npos);
  EXPECT_NE(chart_of(std::nullopt, false).find("&lt;provider&gt;"), std::string::npos);
}

TEST(Page, LoadsNothingAndRunsNothingUnlessItHasAScript) {
  const std::string still = page_text({"en", "<t>", "i", page_table({{"<h>", true}}, {{"<c>"}}), "f", ""});
  EXPECT_NE(still.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(still.find("script-src"), std::string::npos);
  EXPECT_EQ(still.find("<script"), std::string::npos);
  for (const std::string_view text : {"&lt;t&gt;", "&lt;h&gt;", "&lt;c&gt;"}) {
    EXPECT_NE(still.find(text), std::string::npos) << text;
  }
  EXPECT_NE(page_text({"en", "t", "i", "", "f", "run();"}).find("<script>\nrun();"), std::string::npos);
}

}  // namespace
}  // namespace mekiki
