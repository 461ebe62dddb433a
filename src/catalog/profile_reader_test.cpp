#include "catalog/profile_reader.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr std::string_view kTime = R"({"id": "new", "sources": []})";

/// A profile of one memory file, with `before` as given.
Result<Profile> profile_with(const std::string& before, std::optional<Month> era) {
  const std::string memory =
      R"({"id": "new", "sources": [], "quantized_input_kept": false, "vocabulary_multiple": 64, "before": )" + before +
      "}";
  const auto documents = [&](std::string_view path) -> std::optional<std::string_view> {
    if (path == "data/profiles/new/memory.json") {
      return memory;
    }
    return path == "data/profiles/new/time.json" ? std::optional(kTime) : std::nullopt;
  };
  return read_profile("new", documents, {}, era);
}

std::string change(const std::string& era, const std::string& set) {
  return R"({"era": ")" + era + R"(", "about": "a", "source": "s", "status": "read", "set": )" + set + "}";
}

TEST(ReadProfile, AnEarlierEraChangesWhatItNames) {
  const std::string before = "[" + change("2024-07", R"({"quantized_input_kept": true})") + "," +
                             change("2023-01", R"({"vocabulary_multiple": 128})") + "]";
  const struct {
    std::optional<Month> era;
    bool kept;
    std::int64_t multiple;
  } cases[] = {{std::nullopt, false, 64},
               {parse_month("2024-07").value(), false, 64},
               {parse_month("2024-06").value(), true, 64},
               {parse_month("2022").value(), true, 128}};
  for (const auto& c : cases) {
    const Result<Profile> profile = profile_with(before, c.era);
    ASSERT_TRUE(profile) << describe(profile.error());
    EXPECT_EQ(profile->memory.quantized_input_kept, c.kept);
    EXPECT_EQ(profile->memory.vocabulary_multiple, c.multiple);
  }
}

TEST(ReadProfile, ErasAreCheckedWhetherTheyApplyOrNot) {
  for (const std::string& bad : {std::string("{}"),
                                 "[" + change("soon", "{}") + "]",
                                 "[" + change("2024-07", R"({"no_such_key": 1})") + "]",
                                 std::string(R"([{"era": "2024-07", "set": {}}])")}) {
    const Result<Profile> profile = profile_with(bad, std::nullopt);
    ASSERT_FALSE(profile) << bad;
    EXPECT_EQ(profile.error().code, ErrorCode::invalid_input) << bad;
    EXPECT_NE(profile.error().subject.find("before"), std::string::npos) << describe(profile.error());
  }
}

TEST(ParseMonth, YearsAloneAreTheirMiddle) {
  EXPECT_EQ(parse_month("2024"), parse_month("2024-07"));
  EXPECT_LT(parse_month("2023-12").value(), parse_month("2024-01").value());
  for (const std::string_view bad : {"", "24", "2024-13", "2024-00", "2024-7", "2024-07-01", "1899-01", "soon"}) {
    EXPECT_FALSE(parse_month(bad)) << bad;
  }
}

}  // namespace
}  // namespace mekiki
