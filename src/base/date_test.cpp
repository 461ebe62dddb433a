#include "base/date.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(ParseDate, ReadsDaysThatExist) {
  const struct {
    const char* text;
    std::int32_t days;
    const char* source;
  } table[] = {
      {"1970-01-01", 0, "the epoch"},
      {"2000-02-29", 11016, "date -u -d 2000-02-29 +%s / 86400"},
      {"2026-11-09", 20766, "date -u -d 2026-11-09 +%s / 86400"},
      {"1969-12-31", -1, "the day before the epoch"},
  };
  for (const auto& row : table) {
    const auto date = parse_date(row.text);
    ASSERT_TRUE(date) << row.text;
    EXPECT_EQ(date->days, row.days) << row.source;
    EXPECT_EQ(format_date(*date), row.text);
  }
}

TEST(ParseDate, RefusesEverythingElse) {
  for (const char* text : {"",
                           "2026",
                           "2026-1-09",
                           "2026-13-01",
                           "2026-02-29",
                           "2026-00-10",
                           "2026-01-00",
                           "0000-01-01",
                           "2026/01/01",
                           " 2026-01-01",
                           "2026-01-01 ",
                           "2026-01-0x",
                           "20260101",
                           "undated"}) {
    const auto date = parse_date(text);
    ASSERT_FALSE(date) << text;
    EXPECT_EQ(date.error().code, ErrorCode::invalid_input);
  }
}

TEST(FormatDate, RoundTripsEveryDayOfAThousandYears) {
  for (std::int32_t days = -25'000; days < 340'000; days += 13) {
    EXPECT_EQ(parse_date(format_date(Date{days})).value(), Date{days});
  }
}

}  // namespace
}  // namespace mekiki
