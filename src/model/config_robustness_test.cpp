// Broken, contradictory and absurd configs: each is refused at the right key, and nothing crashes.
#include <gtest/gtest.h>

#include "model/count.h"
#include "model/exact_count.h"
#include "model/family.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

TEST(BadConfigs, AreRefusedAtTheirKey) {
  const TestTable expected("tests/data/models/bad.csv");
  ASSERT_EQ(expected.size(), test_file_names("tests/data/models/bad", ".json").size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string& file = expected.at(i, "file");
    const auto parsed = read_config(test_file("tests/data/models/bad/" + file), "config.json");
    ASSERT_FALSE(parsed) << file;
    EXPECT_EQ(name(parsed.error().code), expected.at(i, "code")) << file << ": " << describe(parsed.error());
    EXPECT_FALSE(parsed.error().message.empty()) << file;
    if (!expected.at(i, "subject").empty()) {
      EXPECT_EQ(parsed.error().subject, expected.at(i, "subject")) << file << ": " << describe(parsed.error());
    } else {
      EXPECT_TRUE(parsed.error().subject.starts_with("config.json")) << file << ": " << parsed.error().subject;
    }
  }
}

TEST(BadConfigs, TheSameShapesUnbrokenAreAccepted) {
  const auto parsed = read_config(R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
      "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2, "vocab_size": 100})",
                                  "config.json");
  ASSERT_TRUE(parsed) << describe(parsed.error());
  // By hand: 2 x (2 x 64 x 64 + 2 x 64 x 32 + 3 x 64 x 128 + 2 x 64) + 64 + 2 x 100 x 64.
  EXPECT_EQ(count_weights(parsed->arch).trainable, 2 * (8192 + 4096 + 24576 + 128) + 64 + 12800);
}

TEST(BadConfigs, EveryPrefixOfAConfigIsReadOrRefused) {
  const std::string text = test_file("data/models/openai__gpt-oss-20b.json");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto parsed = read_config(std::string_view(text).substr(0, length), "config.json");
    if (length + 2 < text.size()) {
      ASSERT_FALSE(parsed) << length;
      EXPECT_EQ(parsed.error().code, ErrorCode::invalid_input) << length;
    }
  }
}

TEST(BadConfigs, AByteOrderMarkIsSkipped) {
  EXPECT_TRUE(read_config("\xEF\xBB\xBF" + test_file("data/models/Qwen__Qwen3-8B.json"), "config.json"));
}

TEST(BadConfigs, AnUnknownTypeComesWithTheNearestSupportedOnes) {
  const auto slip = read_config(R"({"model_type": "llamma"})", "config.json");
  ASSERT_FALSE(slip);
  EXPECT_NE(slip.error().hint.find("llama"), std::string::npos) << slip.error().hint;
  const auto relative = read_config(R"({"model_type": "qwen3_text_only"})", "config.json");
  ASSERT_FALSE(relative);
  EXPECT_NE(relative.error().hint.find("qwen3"), std::string::npos) << relative.error().hint;
  EXPECT_NE(relative.error().message.find("qwen3_text_only"), std::string::npos);
}

/// Every single value of a small config replaced by nasty ones, one at a time.
TEST(BadConfigs, NastyValuesAnywhereAreReadOrRefused) {
  const std::vector<nlohmann::json> nasty = {nullptr,
                                             true,
                                             -1,
                                             0,
                                             1,
                                             3,
                                             1'000'000'000,
                                             INT64_MAX,
                                             INT64_MIN,
                                             UINT64_MAX,
                                             1e300,
                                             -0.0,
                                             "",
                                             "x",
                                             nlohmann::json::array(),
                                             nlohmann::json::object(),
                                             nlohmann::json::array({nullptr}),
                                             nlohmann::json::array({1, "a"})};
  int refused = 0;
  int read = 0;
  for (const std::string& seed : test_file_names("tests/fuzz/corpus/config", "")) {
    const auto root = nlohmann::json::parse(test_file("tests/fuzz/corpus/config/" + seed), nullptr, false);
    if (!root.is_object()) {
      continue;
    }
    const nlohmann::json flat = root.flatten();
    for (const auto& [path, value] : flat.items()) {
      for (const nlohmann::json& bad : nasty) {
        nlohmann::json changed = root;
        changed[nlohmann::json::json_pointer(path)] = bad;
        const auto parsed = read_config(changed.dump(), "config.json");
        ++(parsed ? read : refused);
        if (parsed) {
          const WeightCounts counts = count_weights(parsed->arch);
          ASSERT_GT(counts.trainable, 0) << seed << path << bad;
          ASSERT_LT(counts.stored, kCountCeiling) << seed << path << bad;
        }
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace mekiki
