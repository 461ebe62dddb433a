// Keys that shape a model: changing one changes the count or is refused; leaving one unread is seen.
#include <algorithm>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "base/json.h"
#include "model/count.h"
#include "model/family.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

/// Keys whose number enters the count of every model that has them (experts_per_token: the active count).
constexpr std::string_view kShapingKeys[] = {"hidden_size",
                                             "n_embd",
                                             "d_model",
                                             "n_embed",
                                             "vocab_size",
                                             "padded_vocab_size",
                                             "num_hidden_layers",
                                             "n_layer",
                                             "n_layers",
                                             "num_layers",
                                             "intermediate_size",
                                             "ffn_hidden_size",
                                             "ffn_dim",
                                             "inner_hidden_size",
                                             "expansion_ratio",
                                             "num_key_value_heads",
                                             "multi_query_group_num",
                                             "num_kv_heads",
                                             "head_dim",
                                             "kv_channels",
                                             "num_local_experts",
                                             "num_experts",
                                             "n_routed_experts",
                                             "num_experts_per_tok",
                                             "moe_intermediate_size",
                                             "shared_expert_intermediate_size",
                                             "n_shared_experts",
                                             "first_k_dense_replace",
                                             "interleave_moe_layer_step",
                                             "n_positions"};

/// Keys that a family reads past: (file, key) with the reason in the comment.
bool is_known_without_effect(const std::string& file, std::string_view key) {
  // Both spellings present; the class reads the other one.
  if (file == "THUDM__glm-4-9b-chat.json" && key == "num_hidden_layers") {
    return true;
  }
  if (file == "tiiuae__falcon-40b.json" && key == "n_layer") {
    return true;
  }
  // Rotary models: the number only bounds the length.
  if ((file.find("phi-") != std::string::npos || file.find("gpt-j") != std::string::npos) && key == "n_positions") {
    return true;
  }
  // Latent attention has head widths of its own; a list of layers decides over the number of dense ones.
  if (file.find("GLM-5") != std::string::npos && (key == "head_dim" || key == "first_k_dense_replace")) {
    return file.find("GLM-5.2") != std::string::npos || key == "head_dim";
  }
  if (file.find("Kimi-Linear") != std::string::npos && key == "head_dim") {
    return true;
  }
  // The text model's own key counts; the image tower has no vocabulary.
  if (file.find("llava") != std::string::npos && key == "vocab_size") {
    return true;
  }
  // Every layer is sparse, or has a shared network instead: the dense width is never used.
  const bool all_sparse =
      file.find("granite-4.0-350m") != std::string::npos || file.find("granite-4.0-micro") != std::string::npos ||
      file.find("granite-4.0-h-1b") != std::string::npos || file.find("Qwen3-Next") != std::string::npos ||
      file.find("Mistral-Small-4") != std::string::npos || file.find("Nemotron-3-") != std::string::npos ||
      file.find("30B-A3B") != std::string::npos || file.find("235B") != std::string::npos ||
      file.find("Coder-480B") != std::string::npos || file.find("llm-jp-4-3") != std::string::npos ||
      file.find("llm-jp-4-29") != std::string::npos || file.find("1.5-MoE") != std::string::npos;
  return all_sparse && key == "intermediate_size";
}

void expect_effect(const std::string& file, const nlohmann::json& root, const std::string& path) {
  const auto before = read_config(root.dump(), "config.json");
  ASSERT_TRUE(before) << file;
  nlohmann::json changed = root;
  nlohmann::json& value = changed[nlohmann::json::json_pointer(path)];
  value = value.get<std::int64_t>() * 2;
  const auto after = read_config(changed.dump(), "config.json");
  if (after) {
    EXPECT_NE(count_weights(before->arch), count_weights(after->arch)) << file << " " << path;
  }
}

TEST(ConfigProperty, EveryShapingKeyHasAnEffect) {
  std::map<std::string, int> tried;
  for (const std::string& file : test_file_names("data/models", ".json")) {
    const std::string text = test_file("data/models/" + file);
    if (!read_config(text, "config.json")) {
      continue;
    }
    const auto root = parse_json(text, file, {.non_finite = NonFiniteNumbers::read_as_null});
    ASSERT_TRUE(root) << describe(root.error());
    const nlohmann::json flat = root->flatten();
    for (const auto& [path, value] : flat.items()) {
      const std::string_view key = std::string_view(path).substr(path.rfind('/') + 1);
      const bool shaping = std::find(std::begin(kShapingKeys), std::end(kShapingKeys), key) != std::end(kShapingKeys);
      if (shaping && value.is_number_integer() && value != 0 && !is_known_without_effect(file, key)) {
        expect_effect(file, *root, path);
        ++tried[std::string(key)];
      }
    }
  }
  for (const std::string_view key : kShapingKeys) {
    EXPECT_GT(tried[std::string(key)], 0) << key << " occurs in no bundled config";
  }
}

TEST(ConfigProperty, TyingSavesExactlyOneVocabularyMatrix) {
  int tried = 0;
  for (const std::string& file : test_file_names("data/models", ".json")) {
    auto root = nlohmann::json::parse(test_file("data/models/" + file), nullptr, false);
    if (!root.is_object() || !root.contains("tie_word_embeddings") || !read_config(root.dump(), "c")) {
      continue;
    }
    root["tie_word_embeddings"] = true;
    const auto tied = read_config(root.dump(), "c");
    root["tie_word_embeddings"] = false;
    const auto untied = read_config(root.dump(), "c");
    if (!tied || !untied) {
      continue;  // a class that does not tie
    }
    EXPECT_EQ(
        count_weights(untied->arch).trainable - count_weights(tied->arch).trainable,
        tied->arch.vocab_size * (tied->arch.embedding_size > 0 ? tied->arch.embedding_size : tied->arch.hidden_size))
        << file;
    EXPECT_EQ(count_weights(untied->arch).matmul_per_token, count_weights(tied->arch).matmul_per_token) << file;
    ++tried;
  }
  EXPECT_GT(tried, 150);
}

TEST(ConfigProperty, QuantisingAConfigChangesWhatIsStoredOnly) {
  auto root = nlohmann::json::parse(test_file("data/models/Qwen__Qwen3-8B.json"));
  const auto plain = read_config(root.dump(), "config.json");
  root["quantization_config"] = {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}};
  const auto quantised = read_config(root.dump(), "config.json");
  ASSERT_TRUE(plain && quantised);
  EXPECT_TRUE(same_shape(plain->arch, quantised->arch));
  // By hand: 36 layers; 32 x 32 blocks for q and o, 8 x 32 for k and v, 96 x 32 for each of three network matrices.
  EXPECT_EQ(count_weights(quantised->arch).stored - count_weights(plain->arch).stored,
            36 * (2 * 32 * 32 + 2 * 8 * 32 + 3 * 96 * 32));
  ASSERT_EQ(quantised->warnings.size(), 1U);
  EXPECT_EQ(quantised->warnings[0].kind, ConfigWarningKind::quantized_checkpoint);
  EXPECT_EQ(quantised->warnings[0].value, "fp8");
}

TEST(ConfigProperty, AnUnknownKeyIsAWarningWithItsValue) {
  auto root = nlohmann::json::parse(test_file("data/models/Qwen__Qwen3-8B.json"));
  root["num_nextn_predict_layers"] = 1;
  const auto parsed = read_config(root.dump(), "config.json");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->warnings.size(), 1U);
  EXPECT_EQ(parsed->warnings[0],
            (ConfigWarning{ConfigWarningKind::unread_key, "config.json:/num_nextn_predict_layers", "1"}));
}

TEST(ConfigProperty, ADefaultOfTheClassIsAWarning) {
  auto root = nlohmann::json::parse(test_file("data/models/mistralai__Ministral-8B-Instruct-2410.json"));
  root.erase("sliding_window");
  const auto parsed = read_config(root.dump(), "config.json");
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->warnings.size(), 1U);
  EXPECT_EQ(parsed->warnings[0],
            (ConfigWarning{ConfigWarningKind::class_default, "config.json:/sliding_window", "4096"}));
}

TEST(ConfigProperty, ArchitecturesDecideWhereTheTypeIsAbsent) {
  auto root = nlohmann::json::parse(test_file("data/models/Qwen__Qwen3-8B.json"));
  root.erase("model_type");
  const auto parsed = read_config(root.dump(), "config.json");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->arch.family, "qwen3");
}

}  // namespace
}  // namespace mekiki
