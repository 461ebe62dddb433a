#include "base/text_position.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(PositionAt, CountsLinesAndColumnsFromOne) {
  const std::string_view text = "ab\ncd\n";
  EXPECT_EQ(position_at(text, 0), (TextPosition{1, 1}));
  EXPECT_EQ(position_at(text, 2), (TextPosition{1, 3}));
  EXPECT_EQ(position_at(text, 3), (TextPosition{2, 1}));
  EXPECT_EQ(position_at(text, 6), (TextPosition{3, 1}));
  EXPECT_EQ(position_at(text, 99), (TextPosition{3, 1}));
}

TEST(FindInvalidUtf8, FollowsTheUnicodeTable) {
  // Source: The Unicode Standard, table 3-7.
  for (const std::string_view valid : {"",
                                       "abc",
                                       "\xC2\x80",
                                       "\xE0\xA0\x80",
                                       "\xED\x9F\xBF",
                                       "\xEE\x80\x80",
                                       "\xF0\x90\x80\x80",
                                       "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(find_invalid_utf8(valid), std::nullopt) << valid;
  }
  for (const std::string_view invalid : {"\x80",
                                         "\xC1\xBF",
                                         "\xC2",
                                         "\xE0\x9F\xBF",
                                         "\xED\xA0\x80",
                                         "\xF0\x8F\xBF\xBF",
                                         "\xF4\x90\x80\x80",
                                         "\xF5\x80\x80\x80",
                                         "\xE2\x82",
                                         "\xE2(\xA1"}) {
    EXPECT_EQ(find_invalid_utf8(invalid), 0u);
  }
  EXPECT_EQ(find_invalid_utf8("ok\xFF"), 2u);
}

}  // namespace
}  // namespace mekiki
