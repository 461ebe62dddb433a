#include "report/table.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(DisplayWidth, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("重み"), 4u);
  EXPECT_EQ(display_width("ｱ"), 1u);         // half-width katakana
  EXPECT_EQ(display_width("ＡＢ"), 4u);      // full-width latin
  EXPECT_EQ(display_width("が"), 2u);        // か with a combining mark
  EXPECT_EQ(display_width("\xff\xe3"), 2u);  // no UTF-8: a column per byte
  EXPECT_EQ(display_width(""), 0u);
}

TEST(DisplayWidth, PadsByColumns) {
  EXPECT_EQ(padded("重み", 6, Align::left), "重み  ");
  EXPECT_EQ(padded("重み", 6, Align::right), "  重み");
  EXPECT_EQ(padded("abcdef", 3, Align::left), "abcdef");
}

TEST(Wrapped, BreaksAtBlanksAndBetweenWideCharacters) {
  EXPECT_EQ(wrapped("one two three", 7, "  "), "one two\n  three");
  EXPECT_EQ(wrapped("長い文章です", 8, ""), "長い文章\nです");
  EXPECT_EQ(wrapped("これは文。", 8, ""), "これは\n文。");  // a full stop never starts a line
  EXPECT_EQ(wrapped("takes 38 % of", 9, ""), "takes\n38 % of");
  EXPECT_EQ(wrapped("averylongword", 4, ""), "averylongword");
  EXPECT_EQ(wrapped("", 10, ""), "");
}

TEST(Table, LinesUpAndEndsWithoutBlanks) {
  EXPECT_EQ(table({{"name"}, {"GiB", Align::right}}, {{"重み", "4.60"}, {"free", "14.6"}}),
            "name   GiB\n重み  4.60\nfree  14.6\n");
  EXPECT_EQ(table({{""}, {""}}, {{"a", ""}, {"bb", "c"}}, "  "), "  a\n  bb  c\n");
  EXPECT_EQ(table({{"a"}}, {}), "a\n");
}

}  // namespace
}  // namespace mekiki
