#include "catalog/rows/row_text.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(StringLiteral, EscapesWhatCppWouldMisread) {
  EXPECT_EQ(string_literal(""), "\"\"");
  EXPECT_EQ(string_literal("plain"), "\"plain\"");
  EXPECT_EQ(string_literal("a\"b\\c"), "\"a\\042b\\134c\"");
  EXPECT_EQ(string_literal("?\?/"), "\"\\077\\077/\"");
  EXPECT_EQ(string_literal(std::string("\0001", 2)), "\"\\0001\"");  // three digits: the next one stays a digit
  EXPECT_EQ(string_literal("\xC3\xA9"), "\"\\303\\251\"");
  EXPECT_EQ(string_literal("a\nb"), "\"a\\n\"\n\"b\"");
}

TEST(DoubleLiteral, IsADoubleAndReadsBack) {
  EXPECT_EQ(double_literal(80.0), "80.0");
  EXPECT_EQ(double_literal(0.5), "0.5");
  for (const double value : {0.1, 1e300, 1.0 / 3.0, 79.65 * 1024 * 1024 * 1024, 1e22}) {
    EXPECT_EQ(std::stod(double_literal(value)), value);
  }
}

TEST(CanonicalText, TellsFieldsApart) {
  const GpuAlias a{"x", "y", "z"}, b{"x;gpu_id=1:y", "", "z"};
  EXPECT_EQ(canonical_text(a), canonical_text(GpuAlias{"x", "y", "z"}));
  EXPECT_NE(canonical_text(a), canonical_text(b));
}

TEST(DigestOf, SeesEveryTableAndNoOrder) {
  const GpuAlias aliases[] = {{"a", "g", "w"}, {"b", "g", "w"}};
  const GpuAlias turned[] = {{"b", "g", "w"}, {"a", "g", "w"}};
  const Document document[] = {{"p", "t"}}, other[] = {{"p", "u"}};
  const auto digest = [](std::span<const GpuAlias> rows, std::span<const Document> documents) {
    Catalog catalog;
    catalog.gpu_aliases = rows;
    catalog.documents = documents;
    return digest_of(catalog);
  };
  EXPECT_EQ(digest(aliases, document), digest(turned, document));
  EXPECT_NE(digest(aliases, document), digest({aliases, 1}, document));
  EXPECT_NE(digest(aliases, document), digest(aliases, other));
  EXPECT_EQ(digest({}, {}),
            "cbf29ce484222325");  // offset basis of 64-bit FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
}

}  // namespace
}  // namespace mekiki
