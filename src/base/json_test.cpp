#include "base/json.h"

#include <string>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr JsonOptions kLenient{.non_finite = NonFiniteNumbers::read_as_null};

TEST(ParseJson, ReadsWhatJsonIs) {
  const auto value = parse_json(R"({"a": [1, -2, 2.5, true, null, "x\n"], "b": {"c": {}}})", "t.json");
  ASSERT_TRUE(value) << describe(value.error());
  EXPECT_EQ(value->dump(), R"({"a":[1,-2,2.5,true,null,"x\n"],"b":{"c":{}}})");
}

TEST(ParseJson, SkipsAByteOrderMark) {
  EXPECT_EQ(parse_json("\xEF\xBB\xBF{}", "t.json").value().dump(), "{}");
}

struct Refusal {
  const char* name;
  std::string text;
  const char* subject;
  const char* message_part;
};

TEST(ParseJson, RefusesWithThePlace) {
  const std::vector<Refusal> table = {
      {"empty", "", "t.json", "line 1, column 1: not valid JSON"},
      {"comma missing", "{\n \"a\": 1\n \"b\": 2}", "t.json", "line 3, column 4: not valid JSON"},
      {"trailing comma", "[1,]", "t.json", "line 1, column 4"},
      {"comment", "// x\n{}", "t.json", "line 1, column 1"},
      {"template", "{\"a\": {{ x }}}", "t.json", "line 1, column 8"},
      {"cut", "{\"a\": [1, 2", "t.json", "line 1, column 12: not valid JSON"},
      {"two values", "{} {}", "t.json", "line 1, column 4"},
      {"duplicate key", R"({"a": [{"x": 1}, {"k": 1, "k": 2}]})", "t.json:/a/1/k", "given twice"},
      {"duplicate key at the top", R"({"k": 1, "k": 2})", "t.json:/k", "given twice"},
      {"not UTF-8", "{\"a\":\n\"\xC3(\"}", "t.json", "line 2, column 2: not UTF-8"},
      {"NUL", std::string("{}\0{}", 5), "t.json", "line 1, column 3: a NUL byte"},
      {"number beyond a double", "[1e999]", "t.json", "number overflow"},
      {"NaN", "[NaN]", "t.json", "line 1, column 2"},
      {"raw newline in a string", "[\"a\nb\"]", "t.json", "not valid JSON"},
  };
  for (const Refusal& row : table) {
    const auto value = parse_json(row.text, "t.json");
    ASSERT_FALSE(value) << row.name;
    EXPECT_EQ(value.error().code, ErrorCode::invalid_input) << row.name;
    EXPECT_EQ(value.error().subject, row.subject) << row.name;
    EXPECT_NE(value.error().message.find(row.message_part), std::string::npos)
        << row.name << ": " << value.error().message;
  }
}

TEST(ParseJson, ReadsNonFiniteNumbersAsNullWhereAsked) {
  const auto value = parse_json(R"({"a": [0.0, Infinity, -Infinity, NaN], "b": "NaN Infinity \" NaN"})", "t", kLenient);
  ASSERT_TRUE(value) << describe(value.error());
  EXPECT_EQ(value->dump(), R"({"a":[0.0,null,null,null],"b":"NaN Infinity \" NaN"})");
}

TEST(ParseJson, PlacesAfterAReplacementStayTrue) {
  for (const char* text : {"[NaN, NaN, x]", "[Infinity, x]", "[-Infinity, NaN, x]"}) {
    const auto value = parse_json(text, "t", kLenient);
    ASSERT_FALSE(value);
    const std::string place = "line 1, column " + std::to_string(std::string(text).find('x') + 1) + ":";
    EXPECT_EQ(value.error().message.rfind(place, 0), 0u) << text << ": " << value.error().message;
  }
}

TEST(ParseJson, RefusesWordsThatOnlyLookLikeNonFiniteNumbers) {
  for (const char* text : {"[NaNs]", "[1NaN]", "[-NaN]", "[Infinit]", "[nan]"}) {
    EXPECT_FALSE(parse_json(text, "t", kLenient)) << text;
  }
}

TEST(ParseJson, StopsAtTheDepthLimit) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_json(nested(64), "t"));
  const auto deep = parse_json(nested(65), "t");
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().message, "line 1, column 65: nested deeper than 64 levels");
  EXPECT_FALSE(parse_json(std::string(5'000'000, '['), "t"));
}

TEST(ParseJson, StopsAtTheSizeLimit) {
  EXPECT_TRUE(parse_json("[10]", "t", {.size_limit = 4}));
  EXPECT_FALSE(parse_json("[100]", "t", {.size_limit = 4}));
}

TEST(ParseJson, EveryPrefixReadsOrReports) {
  const std::string text = R"({"a": [1, -2.5e3, true, NaN, "\u00e9é\ud83d\ude00"], "b": {"c": {}}})";
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(parse_json(text.substr(0, length), "t", kLenient)) << length;
  }
  EXPECT_TRUE(parse_json(text, "t", kLenient));
}

TEST(JsonPath, EscapesAsRfc6901) {
  EXPECT_EQ(json_path(json_path("", "a/b~c"), std::size_t{3}), "/a~1b~0c/3");
}

}  // namespace
}  // namespace mekiki
