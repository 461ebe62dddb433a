#include "model/ops.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

template <class T>
std::vector<T> all_of(const std::vector<ModelOp>& ops) {
  std::vector<T> found;
  for (const ModelOp& op : ops) {
    if (const auto* wanted = std::get_if<T>(&op)) {
      found.push_back(*wanted);
    }
  }
  return found;
}

std::int64_t stored(const std::vector<ModelOp>& ops) {
  std::int64_t weights = 0;
  for (const ModelOp& op : ops) {
    weights += stored_weights(op);
  }
  return weights;
}

TEST(OpsOf, AttentionRunsProjectionsCoreOutput) {
  const auto ops = ops_of(Attention{.heads = 32, .kv_heads = 8, .head_dim = 128}, 4096);
  ASSERT_EQ(ops.size(), 5U);
  EXPECT_EQ(std::get<LinearOp>(ops[0]).name, "q_proj");
  EXPECT_EQ(std::get<LinearOp>(ops[1]).out, 1024);
  EXPECT_EQ(std::get<LinearOp>(ops[1]).split, LinearSplit::column);
  EXPECT_EQ(std::get<AttentionCoreOp>(ops[3]).kv_heads, 8);
  EXPECT_EQ(std::get<LinearOp>(ops[4]).split, LinearSplit::row);
}

TEST(OpsOf, FusingChangesNoCount) {
  Attention attention{.heads = 12, .kv_heads = 4, .head_dim = 64, .qkv_bias = true};
  DenseFfn ffn{.intermediate_size = 1000, .bias = true};
  const std::int64_t apart = stored(ops_of(attention, 768)) + stored(ops_of(ffn, 768));
  attention.fused_qkv = true;
  ffn.fused_gate_up = true;
  EXPECT_EQ(all_of<LinearOp>(ops_of(attention, 768)).size(), 2U);
  EXPECT_EQ(stored(ops_of(attention, 768)) + stored(ops_of(ffn, 768)), apart);
}

TEST(OpsOf, HeadWidthNeedNotBeTheResidualWidth) {
  const auto linears = all_of<LinearOp>(ops_of(Attention{.heads = 64, .kv_heads = 8, .head_dim = 64}, 2880));
  EXPECT_EQ(linears.front().out, 4096);
  EXPECT_EQ(linears.back().in, 4096);
  EXPECT_EQ(linears.back().out, 2880);
}

TEST(OpsOf, QkNormsPerHeadOrFull) {
  Attention attention{.heads = 32, .kv_heads = 8, .head_dim = 128, .qk_norm = Attention::QkNorm::per_head};
  auto norms = all_of<VectorOp>(ops_of(attention, 4096));
  ASSERT_EQ(norms.size(), 2U);
  EXPECT_EQ(stored_weights(norms[0]) + stored_weights(norms[1]), 256);
  attention.qk_norm = Attention::QkNorm::full;
  norms = all_of<VectorOp>(ops_of(attention, 4096));
  EXPECT_EQ(stored_weights(norms[0]) + stored_weights(norms[1]), 4096 + 1024);
}

TEST(OpsOf, OutputGateDoublesTheQueryOnly) {
  const auto linears =
      all_of<LinearOp>(ops_of(Attention{.heads = 16, .kv_heads = 2, .head_dim = 256, .output_gate = true}, 2048));
  EXPECT_EQ(linears[0].out, 2 * 4096);
  EXPECT_EQ(linears[1].out, 512);
  EXPECT_EQ(linears[3].in, 4096);
}

// Source: gpt-oss layer by hand: sinks 64; router 2880 x 32 + 32; expert 3 x 2880 x 2880 + 2 x 2880 + 2880.
TEST(OpsOf, SinksAndExpertBiases) {
  const auto attention = ops_of(Attention{.heads = 64, .kv_heads = 8, .head_dim = 64, .sinks = true}, 2880);
  EXPECT_EQ(stored_weights(all_of<VectorOp>(attention)[0]), 64);
  const MoeFfn moe{.experts = 32,
                   .experts_per_token = 4,
                   .intermediate_size = 2880,
                   .router_bias = true,
                   .expert_bias = true,
                   .fused_gate_up = true};
  EXPECT_EQ(stored(ops_of(moe, 2880)), 2880 * 32 + 32 + 32 * (3 * 2880 * 2880 + 3 * 2880));
}

TEST(OpsOf, OnlyChosenExpertsAreActive) {
  const MoeFfn moe{.experts = 60,
                   .experts_per_token = 4,
                   .intermediate_size = 1408,
                   .shared_intermediate_size = 5632,
                   .shared_gate = true};
  std::int64_t active = 0;
  std::int64_t matmul = 0;
  for (const ModelOp& op : ops_of(moe, 2048)) {
    active += active_weights(op);
    matmul += matmul_weights(op);
  }
  const std::int64_t expert = std::int64_t{3} * 2048 * 1408;
  const std::int64_t always = std::int64_t{2048} * 60 + std::int64_t{3} * 2048 * 5632 + 2048;
  EXPECT_EQ(stored(ops_of(moe, 2048)), 60 * expert + always);
  EXPECT_EQ(active, 4 * expert + always);
  EXPECT_EQ(matmul, active);
}

TEST(OpsOf, BiasesAreNoMatrixProducts) {
  const LinearOp linear{.in = 10, .out = 20, .bias = true};
  EXPECT_EQ(stored_weights(linear), 220);
  EXPECT_EQ(matmul_weights(linear), 200);
}

TEST(NormWeights, ByKind) {
  EXPECT_EQ(norm_weights(NormKind::rms, 7), 7);
  EXPECT_EQ(norm_weights(NormKind::layer_norm, 7), 14);
  EXPECT_EQ(norm_weights(NormKind::layer_norm_no_bias, 7), 7);
  EXPECT_EQ(norm_weights(NormKind::layer_norm_no_weight, 7), 0);
  EXPECT_EQ(norm_weights(NormKind::none, 7), 0);
}

}  // namespace
}  // namespace mekiki
