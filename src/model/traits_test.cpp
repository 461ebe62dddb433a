#include "model/traits.h"

#include <gtest/gtest.h>

#include "model/family.h"
#include "model/small_arch_for_tests.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

std::vector<std::string> names_of(const Arch& arch) {
  std::vector<std::string> names;
  for (const ModelTrait trait : traits_of(arch)) {
    names.emplace_back(enum_name(trait));
  }
  return names;
}

TEST(Traits, TheUsualDecoderHasNone) {
  EXPECT_TRUE(traits_of(for_tests::dense_arch()).empty());
}

struct TraitCase {
  std::string file;
  std::vector<std::string> traits;
};

// Source: the configs and the model cards of these models.
TEST(Traits, OfPublishedModels) {
  const std::vector<TraitCase> cases = {
      {"meta-llama__Meta-Llama-3.1-8B.json", {}},
      {"meta-llama__Llama-3.2-1B.json", {"tied_head"}},
      {"Qwen__Qwen3-30B-A3B.json", {"experts", "head_dim_apart", "query_key_norm"}},
      {"openai__gpt-oss-20b.json",
       {"experts", "sliding_window", "head_dim_apart", "attention_sinks", "attention_bias"}},
      {"distilbert__distilgpt2.json",
       {"learned_positions", "attention_bias", "layer_norm", "ungated_ffn", "tied_head", "dropout"}},
  };
  for (const TraitCase& one : cases) {
    const auto model = read_config(test_file("data/models/" + one.file), one.file);
    ASSERT_TRUE(model) << describe(model.error());
    EXPECT_EQ(names_of(model->arch), one.traits) << one.file;
  }
}

TEST(Traits, EveryBlockIsLookedAt) {
  Arch arch = for_tests::dense_arch();
  auto& subs = arch.layer_groups[0].layer.sub_layers;
  subs = {{LatentAttention{.heads = 2, .qk_rope_head_dim = 8, .indexer = KeyIndexer{}}},
          {StateSpace{}},
          {GatedDelta{}},
          {LightningAttention{}},
          {ShortConvolution{}},
          {MoeFfn{.experts = 4, .shared_intermediate_size = 8, .latent_size = 4}}};
  subs[0].norms_after = 1;
  arch.mtp_weights = 1;
  arch.vision = VisionTower{};
  EXPECT_EQ(names_of(arch),
            (std::vector<std::string>{"experts",
                                      "shared_experts",
                                      "latent_experts",
                                      "latent_attention",
                                      "chosen_keys",
                                      "state_space",
                                      "linear_attention",
                                      "short_convolution",
                                      "norms_after",
                                      "vision_tower",
                                      "multi_token_prediction"}));
}

TEST(Traits, RotaryInSomeLayersOnlyIsNotNoRotary) {
  Arch arch = for_tests::mixed_arch();
  std::get<Attention>(arch.layer_groups[1].layer.sub_layers[0].block).rotary = false;
  EXPECT_EQ(names_of(arch), (std::vector<std::string>{"no_rotary_layers", "tied_head"}));
  for (LayerGroup& group : arch.layer_groups) {
    std::get<Attention>(group.layer.sub_layers[0].block).rotary = false;
  }
  EXPECT_EQ(names_of(arch), (std::vector<std::string>{"no_rotary", "tied_head"}));
}

}  // namespace
}  // namespace mekiki
