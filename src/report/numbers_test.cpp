#include "report/numbers.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

const Voice kEnglish(Language::english);

TEST(Numbers, CountsAreGrouped) {
  EXPECT_EQ(whole(0), "0");
  EXPECT_EQ(whole(999), "999");
  EXPECT_EQ(whole(1'235'814'400), "1,235,814,400");
  EXPECT_EQ(whole(-1'000), "-1,000");
}

TEST(Numbers, ThreeDigitsSayAsMuchAsIsKnown) {
  struct Case {
    double value;
    const char* text;
  };
  for (const Case& c : {Case{0.0, "0"},
                        Case{0.0123456, "0.0123"},
                        Case{0.9996, "1.00"},
                        Case{9.996, "10.0"},
                        Case{31.04, "31.0"},
                        Case{99.96, "100"},
                        Case{12'496.0, "12,500"},
                        Case{1'240'000.0, "1,240,000"}}) {
    EXPECT_EQ(significant(c.value), c.text);
  }
}

TEST(Numbers, AmountsNameTheirUnit) {
  EXPECT_EQ(gib(Bytes{12e9}), "11.2 GiB");  // a 1B model at 12 bytes
  EXPECT_EQ(gb(Bytes{12e9}), "12.0 GB");
  EXPECT_EQ(capacity_gib(44.99 * kGiB), "44.99 GiB");
  EXPECT_EQ(gib(0.001 * kGiB), "0.00 GiB");
  EXPECT_EQ(short_count(1'235'814'400), "1.24B");
  EXPECT_EQ(short_count(2.5e12), "2.50T");
  EXPECT_EQ(short_count(512), "512");
  EXPECT_EQ(percent(0.3841), "38 %");
  EXPECT_EQ(percent(0.0987), "9.9 %");
  EXPECT_EQ(percent(0.0), "0 %");
  EXPECT_EQ(percent(0.0003), "< 0.1 %");
  EXPECT_EQ(usd(Usd{12.5}), "$12.50");
  EXPECT_EQ(usd(Usd{18'400.4}), "$18,400");
  EXPECT_EQ(usd(Usd{-3.0}), "-$3.00");
  EXPECT_EQ(usd(Usd{-0.0}), "$0.00");
  EXPECT_EQ(flops(Flops{8.22e9}), "8.22 GFLOP");
  EXPECT_EQ(figure(989.4), "989.4");
}

TEST(Numbers, DurationsTakeTheUnitThatSuits) {
  struct Case {
    double seconds;
    const char* text;
  };
  for (const Case& c : {Case{25e-6, "25.0 us"},
                        Case{0.0123, "12.3 ms"},
                        Case{0.328, "0.328 s"},
                        Case{119.0, "119 s"},
                        Case{33.0 * 60, "33.0 min"},
                        Case{14.2 * 3600, "14.2 h"},
                        Case{9.26 * 86400, "9.26 d"}}) {
    EXPECT_EQ(duration(Seconds{c.seconds}, kEnglish), c.text);
  }
  EXPECT_EQ(duration(Seconds{9.26 * 86400}, Voice(Language::japanese)), "9.26 日");
}

}  // namespace
}  // namespace mekiki
