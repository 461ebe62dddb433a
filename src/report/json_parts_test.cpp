#include "report/json_parts.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(JsonParts, RoundingKeepsOrder) {
  double before = 0.0;
  for (double value = 1.0; value < 1.001; value += 1.7e-7) {
    EXPECT_LE(before, rounded(value));
    EXPECT_NEAR(rounded(value), value, 1e-8 * value);
    before = rounded(value);
  }
  EXPECT_EQ(rounded(1.0 / 3.0), 0.333333333);
}

TEST(JsonParts, AnErrorIsOneObject) {
  EXPECT_EQ(json_error({ErrorCode::not_found, "--gpu", "no such", "try"}).dump(),
            R"({"schema_version":1,"error":{"code":"not_found","subject":"--gpu","message":"no such","hint":"try"}})");
}

TEST(JsonParts, UnknownIsNullWithAReason) {
  Json json;
  add_unknown(json, "step", "no GPU");
  EXPECT_EQ(json.dump(), R"({"step":null,"step_reason":"no GPU"})");
}

TEST(JsonParts, BrokenTextDoesNotBreakTheAnswer) {
  EXPECT_EQ(json_text(Json{{"a", "\xff"}}), "{\n  \"a\": \"\xef\xbf\xbd\"\n}\n");
}

}  // namespace
}  // namespace mekiki
