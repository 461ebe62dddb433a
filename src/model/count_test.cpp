#include "model/count.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/exact_count.h"
#include "model/ops.h"

namespace mekiki {
namespace {

Layer decoder_layer(const Attention& attention, const Block& ffn) {
  return {.sub_layers = {{attention}, {ffn}}};
}

Arch llama_3_8b() {
  return {
      .hidden_size = 4096,
      .vocab_size = 128256,
      .layer_groups = {
          {32, decoder_layer({.heads = 32, .kv_heads = 8, .head_dim = 128}, DenseFfn{.intermediate_size = 14336})}}};
}

Arch mixtral_8x7b() {
  return {.hidden_size = 4096,
          .vocab_size = 32000,
          .layer_groups = {{32,
                            decoder_layer({.heads = 32, .kv_heads = 8, .head_dim = 128},
                                          MoeFfn{.experts = 8, .experts_per_token = 2, .intermediate_size = 14336})}}};
}

Arch gpt2_medium() {
  Layer layer = decoder_layer(
      {.heads = 16, .kv_heads = 16, .head_dim = 64, .qkv_bias = true, .output_bias = true, .fused_qkv = true},
      DenseFfn{.intermediate_size = 4096, .gated = false, .bias = true, .activation = Activation::gelu});
  layer.norm = NormKind::layer_norm;
  return {.hidden_size = 1024,
          .vocab_size = 50257,
          .learned_positions = 1024,
          .tie_word_embeddings = true,
          .final_norm = NormKind::layer_norm,
          .layer_groups = {{24, layer}}};
}

struct CountCase {
  const char* name;
  Arch arch;
  WeightCounts expected;
};

// Source: safetensors totals published with each checkpoint; matmul = total less embedding and positions.
std::vector<CountCase> count_cases() {
  return {
      {"Meta-Llama-3-8B",
       llama_3_8b(),
       {.trainable = 8030261248, .stored = 8030261248, .active_per_token = 8030261248, .matmul_per_token = 7504924672}},
      {"Mixtral-8x7B-v0.1",
       mixtral_8x7b(),
       {.trainable = 46702792704,
        .stored = 46702792704,
        .active_per_token = 12879925248,
        .matmul_per_token = 12748853248}},
      {"gpt2-medium",
       gpt2_medium(),
       {.trainable = 354823168, .stored = 354823168, .active_per_token = 354823168, .matmul_per_token = 353774592}},
  };
}

TEST(CountWeights, EqualsPublishedTotals) {
  for (const CountCase& c : count_cases()) {
    EXPECT_EQ(count_weights(c.arch), c.expected) << c.name;
  }
}

TEST(CountWeights, NamedDifferencesAreStoredButNotTrained) {
  Arch arch = gpt2_medium();
  // Source: published checkpoint of gpt2-medium, 379,988,992 elements; 24 masks of 1024 x 1024.
  arch.stored_differences = {{StoredDifferenceKind::causal_mask_buffers, std::int64_t{24} * 1024 * 1024}};
  EXPECT_EQ(count_weights(arch).stored, 379988992);
  EXPECT_EQ(count_weights(arch).trainable, 354823168);
}

TEST(CountWeights, StopsAtTheCeiling) {
  Arch arch = llama_3_8b();
  arch.hidden_size = 1'000'000'000;
  arch.vocab_size = 1'000'000'000;
  EXPECT_EQ(count_weights(arch).trainable, kCountCeiling);
}

TEST(CountWeights, LayersAddUpToTheWhole) {
  const Arch arch = mixtral_8x7b();
  const std::int64_t outside = 2 * arch.vocab_size * arch.hidden_size + arch.hidden_size;
  EXPECT_EQ(32 * layer_weights(arch.layer_groups[0].layer, arch.hidden_size) + outside, count_weights(arch).trainable);
}

// Source: 6 x matmul weights + 6 x heads x head_dim x length per layer, by hand; 48.25 and 79.71 GFLOP at 4096.
TEST(FlopsPerToken, CausalTrainingAtAKnownLength) {
  EXPECT_DOUBLE_EQ(flops_per_token(llama_3_8b(), 4096).training_causal() / kFlop,
                   6.0 * 7504924672 + 32 * 6.0 * 4096 * 4096);
  EXPECT_NEAR(flops_per_token(llama_3_8b(), 4096).training_causal() / kFlop, 48.25e9, 0.005e9);
  EXPECT_NEAR(flops_per_token(mixtral_8x7b(), 4096).training_causal() / kFlop, 79.71e9, 0.005e9);
}

TEST(FlopsPerToken, FullAttentionCostsTwiceTheCausal) {
  const FlopsPerToken flops = flops_per_token(llama_3_8b(), 8192);
  const Flops weights = 2.0 * 7504924672 * kFlop;
  EXPECT_DOUBLE_EQ((flops.forward_full - weights) / (flops.forward_causal - weights), 2.0);
}

TEST(FlopsPerToken, WindowIsMetByCountingKeys) {
  const std::int64_t window = 100;
  const std::int64_t length = 1000;
  std::int64_t keys = 0;
  for (std::int64_t query = 0; query < length; ++query) {
    keys += std::min(query + 1, window);
  }
  Arch arch = llama_3_8b();
  const Flops weights = 2.0 * 7504924672 * kFlop;
  std::get<Attention>(arch.layer_groups[0].layer.sub_layers[0].block).sliding_window = window;
  const double keys_per_query = (flops_per_token(arch, length).forward_causal - weights) / (4.0 * 32 * 4096 * kFlop);
  // The formula takes half a key less per query than counting does: the diagonal.
  EXPECT_NEAR(keys_per_query, static_cast<double>(keys) / static_cast<double>(length), 0.5);
  EXPECT_DOUBLE_EQ(keys_per_query, 100.0 - 100.0 * 100.0 / 2000.0);
}

TEST(FlopsPerToken, ChunksAreMetByCountingKeys) {
  const std::int64_t chunk = 300;
  const std::int64_t length = 1000;
  std::int64_t keys = 0;
  for (std::int64_t query = 0; query < length; ++query) {
    keys += query % chunk + 1;
  }
  Arch arch = llama_3_8b();
  std::get<Attention>(arch.layer_groups[0].layer.sub_layers[0].block).chunk = chunk;
  const FlopsPerToken flops = flops_per_token(arch, length);
  const Flops weights = 2.0 * 7504924672 * kFlop;
  const Flops per_key = 4.0 * 32 * 4096 * kFlop;
  EXPECT_NEAR((flops.forward_causal - weights) / per_key, static_cast<double>(keys) / static_cast<double>(length), 0.5);
  EXPECT_DOUBLE_EQ((flops.forward_full - weights) / per_key, 300.0);
  EXPECT_EQ(kv_cache_bytes(arch, length, Dtype::bf16), 300.0 * kv_cache_bytes_per_token(arch, Dtype::bf16));
}

TEST(FlopsPerToken, WindowBeyondTheLengthChangesNothing) {
  Arch arch = llama_3_8b();
  const FlopsPerToken without = flops_per_token(arch, 2048);
  std::get<Attention>(arch.layer_groups[0].layer.sub_layers[0].block).sliding_window = 4096;
  EXPECT_EQ(flops_per_token(arch, 2048).forward_causal, without.forward_causal);
  EXPECT_EQ(flops_per_token(arch, 2048).forward_full, without.forward_full);
}

TEST(KvCache, GroupedHeadsAndWindows) {
  Arch arch = llama_3_8b();
  // 32 layers x 2 x 8 heads x 128 x 2 bytes = 128 KiB.
  EXPECT_EQ(kv_cache_bytes_per_token(arch, Dtype::bf16), Bytes{131072.0});
  EXPECT_EQ(kv_cache_bytes(arch, 8192, Dtype::bf16), kGiB);
  std::get<Attention>(arch.layer_groups[0].layer.sub_layers[0].block).sliding_window = 1024;
  EXPECT_EQ(kv_cache_bytes(arch, 8192, Dtype::bf16), 0.125 * kGiB);
}

TEST(Truncated, KeepsTheFirstLayers) {
  Arch arch = llama_3_8b();
  Layer other = arch.layer_groups[0].layer;
  other.norm = NormKind::layer_norm;
  append_layers(arch.layer_groups, 2, other);
  EXPECT_EQ(truncated(arch, 33).layer_count(), 33);
  EXPECT_EQ(truncated(arch, 33).layer_groups.size(), 2U);
  EXPECT_EQ(truncated(arch, 5).layer_groups.size(), 1U);
  EXPECT_EQ(truncated(arch, 99).layer_count(), 34);
}

}  // namespace
}  // namespace mekiki
