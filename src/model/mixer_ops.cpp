#include "model/mixer_ops.h"

namespace mekiki {
namespace {

using Role = VectorOp::Role;

LinearOp whole(Name name, std::int64_t in, std::int64_t out, bool bias, OpInput input = OpInput::block) {
  return {.name = name, .in = in, .out = out, .bias = bias, .input = input};
}

LinearOp column(Name name, std::int64_t in, std::int64_t out, bool bias, OpInput input = OpInput::block) {
  return {.name = name, .in = in, .out = out, .bias = bias, .split = LinearSplit::column, .input = input};
}

LinearOp row(Name name, std::int64_t in, std::int64_t out, bool bias) {
  return {.name = name, .in = in, .out = out, .bias = bias, .split = LinearSplit::row};
}

void append_indexer(std::vector<ModelOp>& ops, const LatentAttention& attention, std::int64_t hidden_size) {
  const KeyIndexer& indexer = *attention.indexer;
  const std::int64_t query_in = attention.q_lora_rank > 0 ? attention.q_lora_rank : hidden_size;
  ops.emplace_back(whole("indexer.wq_b", query_in, indexer.heads * indexer.head_dim, false, OpInput::aside));
  ops.emplace_back(whole("indexer.wk", hidden_size, indexer.head_dim, false, OpInput::aside));
  ops.emplace_back(VectorOp{"indexer.k_norm", indexer.head_dim, 2, Role::norm});
  ops.emplace_back(LinearOp{.name = "indexer.weights_proj",
                            .in = hidden_size,
                            .out = indexer.heads,
                            .input = OpInput::aside,
                            .decides = true});
}

void append_selective_scan(std::vector<ModelOp>& ops, const StateSpace& m, std::int64_t hidden_size) {
  ops.emplace_back(column("in_proj", hidden_size, 2 * m.inner_size, m.projection_bias));
  ops.emplace_back(ConvolutionOp{"conv1d", m.inner_size, m.conv_kernel, m.conv_bias});
  ops.emplace_back(row("x_proj", m.inner_size, m.step_rank + 2 * m.state_size, false));
  std::get<LinearOp>(ops.back()).input = OpInput::first;
  if (m.inner_norms) {
    ops.emplace_back(VectorOp{"dt_layernorm", m.step_rank, 1, Role::norm});
    ops.emplace_back(VectorOp{"b_layernorm", m.state_size, 1, Role::norm});
    ops.emplace_back(VectorOp{"c_layernorm", m.state_size, 1, Role::norm});
  }
  ops.emplace_back(column("dt_proj", m.step_rank, m.inner_size, true, OpInput::last));
  ops.emplace_back(VectorOp{"A_log", m.inner_size, m.state_size, Role::parameter});
  ops.emplace_back(VectorOp{"D", m.inner_size, 1, Role::parameter});
  ops.emplace_back(ScanOp{"selective_scan", m.inner_size, m.state_size, 1, 1});
}

void append_head_parameters(std::vector<ModelOp>& ops, std::int64_t heads) {
  for (const Name name : {"dt_bias", "A_log", "D"}) {
    ops.emplace_back(VectorOp{name, heads, 1, Role::parameter});
  }
}

void append_per_head(std::vector<ModelOp>& ops, const StateSpace& m, std::int64_t hidden_size) {
  const std::int64_t convolved = m.inner_size + 2 * m.groups * m.state_size;
  ops.emplace_back(column("in_proj", hidden_size, m.inner_size + convolved + m.heads, m.projection_bias));
  ops.emplace_back(ConvolutionOp{"conv1d", convolved, m.conv_kernel, m.conv_bias});
  append_head_parameters(ops, m.heads);
  ops.emplace_back(ScanOp{"state_space_scan", m.heads, m.state_size, m.inner_size / m.heads, m.chunk});
  if (m.gated_norm) {
    ops.emplace_back(VectorOp{"norm", m.inner_size, 1, Role::output_norm});
  }
}

void append_per_head_low_rank(std::vector<ModelOp>& ops, const StateSpace& m, std::int64_t hidden_size) {
  ops.emplace_back(column("in_proj", hidden_size, 2 * m.inner_size, m.projection_bias));
  ops.emplace_back(ConvolutionOp{"conv1d", m.inner_size, m.conv_kernel, m.conv_bias});
  ops.emplace_back(row("bcdt_proj", m.inner_size, m.step_rank + 2 * m.state_size, false));
  std::get<LinearOp>(ops.back()).input = OpInput::first;
  ops.emplace_back(VectorOp{"dt_norm_weight", m.step_rank, 1, Role::parameter});
  ops.emplace_back(VectorOp{"B_norm_weight", m.state_size, 1, Role::parameter});
  ops.emplace_back(VectorOp{"C_norm_weight", m.state_size, 1, Role::parameter});
  ops.emplace_back(column("dt_proj", m.step_rank, m.heads, false, OpInput::last));
  append_head_parameters(ops, m.heads);
  ops.emplace_back(ScanOp{"state_space_scan", m.heads, m.state_size, m.inner_size / m.heads, m.chunk});
}

/// The narrow values between both products of the gate are not followed: the second reads the block's input too.
std::vector<ModelOp> ops_of_channel_decay(const GatedDelta& m, std::int64_t hidden_size) {
  const std::int64_t keys = m.key_heads * m.key_head_dim;
  const std::int64_t values = m.value_heads * m.value_head_dim;
  std::vector<ModelOp> ops;
  ops.emplace_back(column("q_proj", hidden_size, keys, false));
  ops.emplace_back(column("k_proj", hidden_size, keys, false));
  ops.emplace_back(column("v_proj", hidden_size, values, false));
  ops.emplace_back(ConvolutionOp{"q_conv1d", keys, m.conv_kernel, false});
  ops.emplace_back(ConvolutionOp{"k_conv1d", keys, m.conv_kernel, false});
  ops.emplace_back(ConvolutionOp{"v_conv1d", values, m.conv_kernel, false});
  ops.emplace_back(whole("f_a_proj", hidden_size, m.gate_rank, false));
  ops.emplace_back(column("f_b_proj", m.gate_rank, keys, false, OpInput::last));
  ops.emplace_back(column("b_proj", hidden_size, m.value_heads, false));
  ops.emplace_back(whole("g_a_proj", hidden_size, m.gate_rank, false, OpInput::aside));
  ops.emplace_back(column("g_b_proj", m.gate_rank, values, false, OpInput::gate));
  ops.emplace_back(VectorOp{"A_log", m.value_heads, 1, Role::parameter});
  ops.emplace_back(VectorOp{"dt_bias", keys, 1, Role::parameter});
  ops.emplace_back(ScanOp{"channel_delta_rule", m.value_heads, m.key_head_dim, m.value_head_dim, m.chunk});
  ops.emplace_back(VectorOp{"o_norm", m.value_head_dim, 1, Role::output_norm});
  ops.emplace_back(GateOp{Activation::silu, values});
  ops.emplace_back(row("o_proj", values, hidden_size, false));
  return ops;
}

}  // namespace

std::vector<ModelOp> ops_of_block(const LatentAttention& attention, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  const std::int64_t queries = attention.heads * attention.qk_head_dim();
  if (attention.q_lora_rank > 0) {
    ops.emplace_back(whole("q_a_proj", hidden_size, attention.q_lora_rank, attention.bias));
    ops.emplace_back(VectorOp{"q_a_layernorm", attention.q_lora_rank, 1, Role::latent_norm});
    ops.emplace_back(column("q_b_proj", attention.q_lora_rank, queries, false, OpInput::last));
  } else {
    ops.emplace_back(column("q_proj", hidden_size, queries, false));
  }
  const std::int64_t latent = attention.kv_lora_rank;
  ops.emplace_back(whole("kv_a_proj_with_mqa", hidden_size, latent + attention.qk_rope_head_dim, attention.bias));
  ops.emplace_back(VectorOp{"kv_a_layernorm", latent, 1, Role::latent_norm});
  ops.emplace_back(column("kv_b_proj",
                          latent,
                          attention.heads * (attention.qk_nope_head_dim + attention.v_head_dim),
                          false,
                          OpInput::last));
  if (attention.indexer && !attention.indexer->reused) {
    append_indexer(ops, attention, hidden_size);
  }
  ops.emplace_back(AttentionCoreOp{.heads = attention.heads,
                                   .kv_heads = attention.heads,
                                   .qk_dim = attention.qk_head_dim(),
                                   .v_dim = attention.v_head_dim,
                                   .shared_rope_dim = attention.qk_rope_head_dim,
                                   .keys_chosen = attention.indexer ? attention.indexer->keys_chosen : 0});
  ops.emplace_back(row("o_proj", attention.heads * attention.v_head_dim, hidden_size, attention.bias));
  return ops;
}

std::vector<ModelOp> ops_of_block(const StateSpace& mixer, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  switch (mixer.kind) {
    case StateSpace::Kind::selective_scan:
      append_selective_scan(ops, mixer, hidden_size);
      break;
    case StateSpace::Kind::per_head:
      append_per_head(ops, mixer, hidden_size);
      break;
    case StateSpace::Kind::per_head_low_rank:
      append_per_head_low_rank(ops, mixer, hidden_size);
      break;
  }
  ops.emplace_back(row("out_proj", mixer.inner_size, hidden_size, mixer.projection_bias));
  return ops;
}

std::vector<ModelOp> ops_of_block(const GatedDelta& mixer, std::int64_t hidden_size) {
  if (mixer.gate_rank > 0) {
    return ops_of_channel_decay(mixer, hidden_size);
  }
  const std::int64_t keys = mixer.key_heads * mixer.key_head_dim;
  const std::int64_t values = mixer.value_heads * mixer.value_head_dim;
  std::vector<ModelOp> ops;
  if (mixer.fused_inputs) {
    ops.emplace_back(column("in_proj_qkvz", hidden_size, 2 * keys + 2 * values, false));
    ops.emplace_back(column("in_proj_ba", hidden_size, 2 * mixer.value_heads, false));
  } else {
    ops.emplace_back(column("in_proj_qkv", hidden_size, 2 * keys + values, false));
    ops.emplace_back(column("in_proj_z", hidden_size, values, false, OpInput::gate));
    ops.emplace_back(column("in_proj_b", hidden_size, mixer.value_heads, false));
    ops.emplace_back(column("in_proj_a", hidden_size, mixer.value_heads, false));
  }
  ops.emplace_back(ConvolutionOp{"conv1d", 2 * keys + values, mixer.conv_kernel, false});
  ops.emplace_back(VectorOp{"dt_bias", mixer.value_heads, 1, Role::parameter});
  ops.emplace_back(VectorOp{"A_log", mixer.value_heads, 1, Role::parameter});
  ops.emplace_back(
      ScanOp{"gated_delta_rule", mixer.value_heads, mixer.key_head_dim, mixer.value_head_dim, mixer.chunk});
  ops.emplace_back(VectorOp{"norm", mixer.value_head_dim, 1, Role::output_norm});
  ops.emplace_back(GateOp{Activation::silu, values});
  ops.emplace_back(row("out_proj", values, hidden_size, false));
  return ops;
}

std::vector<ModelOp> ops_of_block(const LightningAttention& attention, std::int64_t hidden_size) {
  const std::int64_t width = attention.heads * attention.head_dim;
  std::vector<ModelOp> ops;
  ops.emplace_back(column("qkv_proj", hidden_size, 3 * width, false));
  ops.emplace_back(column("output_gate", hidden_size, width, false, OpInput::gate));
  ops.emplace_back(
      ScanOp{"lightning_attention", attention.heads, attention.head_dim, attention.head_dim, attention.chunk});
  ops.emplace_back(VectorOp{"norm", width, 1, Role::output_norm});
  ops.emplace_back(GateOp{attention.activation, width});
  ops.emplace_back(row("out_proj", width, hidden_size, false));
  return ops;
}

std::vector<ModelOp> ops_of_block(const ShortConvolution& mixer, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  ops.emplace_back(column("in_proj", hidden_size, 3 * hidden_size, mixer.bias));
  ops.emplace_back(ConvolutionOp{"conv", hidden_size, mixer.kernel, mixer.bias});
  ops.emplace_back(GateOp{Activation::silu, hidden_size});
  ops.emplace_back(row("out_proj", hidden_size, hidden_size, mixer.bias));
  return ops;
}

}  // namespace mekiki
