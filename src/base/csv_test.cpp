#include "base/csv.h"

#include <string>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

std::string flat(const CsvTable& table) {
  std::string text;
  for (const std::string& name : table.header) {
    text += "[" + name + "]";
  }
  for (const CsvRow& row : table.rows) {
    text += " " + std::to_string(row.line) + ":";
    for (const std::string& field : row.fields) {
      text += "[" + field + "]";
    }
  }
  return text;
}

struct Case {
  const char* name;
  std::string text;
  const char* expected;
};

TEST(ParseCsv, ReadsRfc4180) {
  const std::vector<Case> table = {
      {"plain", "a,b\n1,2\n", "[a][b] 2:[1][2]"},
      {"no newline at the end", "a,b\n1,2", "[a][b] 2:[1][2]"},
      {"CRLF", "a,b\r\n1,2\r\n", "[a][b] 2:[1][2]"},
      {"byte order mark",
       "\xEF\xBB\xBF"
       "a\n1\n",
       "[a] 2:[1]"},
      {"quotes", "a,b\n\"x,\"\"y\"\"\",\"\"\n", "[a][b] 2:[x,\"y\"][]"},
      {"newline in quotes counts as a line", "a,b\n\"x\ny\",1\n3,4\n", "[a][b] 2:[x\ny][1] 4:[3][4]"},
      {"empty fields", "a,b\n,\n", "[a][b] 2:[][]"},
      {"empty field at the end of the text", "a,b\n1,", "[a][b] 2:[1][]"},
      {"empty lines", "\na,b\n\n1,2\n\r\n", "[a][b] 4:[1][2]"},
      {"spaces belong to the field", "a\n x \n", "[a] 2:[ x ]"},
      {"header only", "a,b", "[a][b]"},
  };
  for (const Case& row : table) {
    const auto parsed = parse_csv(row.text, "t.csv");
    ASSERT_TRUE(parsed) << row.name << ": " << describe(parsed.error());
    EXPECT_EQ(flat(*parsed), row.expected) << row.name;
  }
}

TEST(ParseCsv, RefusesWithLineAndColumn) {
  const std::vector<Case> table = {
      {"empty", "", "t.csv: no header row"},
      {"too few", "a,b\n1,2\n3\n", "t.csv:3:1: 1 fields where the header has 2"},
      {"too many", "a,b\n1,2,3\n", "t.csv:2:1: 3 fields where the header has 2"},
      {"quote inside", "a\nx\"y\n", "t.csv:2:2: a quote inside a field that does not begin with one"},
      {"text after quote", "a\n\"x\"y\n", "t.csv:2:4: text after a closing quote"},
      {"never closed", "a,b\n1,\"x\n", "t.csv:2:3: this quote is never closed"},
      {"bare carriage return", "a\r1\n", "t.csv:1:2: a carriage return without a line feed"},
      {"column twice", "a,a\n", "t.csv:1:1: column \"a\" is given twice"},
      {"column without a name", "a,\n", "t.csv:1:1: column 2 has no name"},
      {"not UTF-8", "a\n\xFF\n", "t.csv:2:1: not UTF-8"},
      {"NUL", std::string("a\n1\0", 4), "t.csv:2:2: a NUL byte is no text"},
  };
  for (const Case& row : table) {
    const auto parsed = parse_csv(row.text, "t.csv");
    ASSERT_FALSE(parsed) << row.name;
    EXPECT_EQ(describe(parsed.error()), row.expected) << row.name;
  }
}

TEST(ParseCsv, StopsAtTheLimits) {
  EXPECT_FALSE(parse_csv("a\n1\n2\n", "t", {.row_limit = 1}));
  EXPECT_FALSE(parse_csv("a,b\n", "t", {.column_limit = 1}));
  EXPECT_FALSE(parse_csv("a,b\n", "t", {.size_limit = 3}));
  EXPECT_TRUE(parse_csv("a,b\n1,2\n", "t", {.size_limit = 8, .row_limit = 1, .column_limit = 2}));
}

TEST(ParseCsv, EveryPrefixReadsOrReports) {
  const std::string text = "a,b\r\n\"x,\"\"é\"\"\",1\r\n2,\"\n\"\r\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const auto parsed = parse_csv(text.substr(0, length), "t");
    EXPECT_TRUE(parsed || parsed.error().code == ErrorCode::invalid_input) << length;
  }
}

TEST(CsvField, RoundTrips) {
  const std::vector<std::string> values = {"", "plain", "a,b", "say \"x\"", "two\nlines", " spaced "};
  for (const std::string& value : values) {
    const auto parsed = parse_csv("h,i\n" + csv_field(value) + ",1\n", "t");
    ASSERT_TRUE(parsed) << describe(parsed.error());
    EXPECT_EQ(parsed->rows.at(0).fields.at(0), value);
  }
  EXPECT_EQ(csv_field("plain"), "plain");
}

TEST(ColumnOf, FindsByExactName) {
  const CsvTable table = parse_csv("a,b\n", "t").value();
  EXPECT_EQ(column_of(table, "b"), 1u);
  EXPECT_EQ(column_of(table, "B"), std::nullopt);
}

TEST(Csv, ATableOfFixedColumnsNamesThem) {
  constexpr std::string_view kColumns[] = {"a", "b"};
  EXPECT_EQ(parse_csv_of(kColumns, "tests", "a,b\n1,2\n", "t.csv")->rows.size(), 1U);
  for (const char* text : {"b,a\n", "a\n", "a,b,c\n"}) {
    const Result<CsvTable> table = parse_csv_of(kColumns, "tests", text, "t.csv");
    ASSERT_FALSE(table) << text;
    EXPECT_EQ(table.error().subject, "t.csv:1");
    EXPECT_EQ(table.error().message, "the columns are not those of tests");
    EXPECT_EQ(table.error().hint, "a,b");
  }
}

}  // namespace
}  // namespace mekiki
