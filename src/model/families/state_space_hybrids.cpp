// State-space mixers beside attention: Falcon-H1 (both in every layer), Jamba, Bamba, PLaMo-2 (one or the other).
// Source: transformers FalconH1Config, JambaConfig, BambaConfig, the modelling code of PLaMo-2; totals of published
// checkpoints (tests/data/models/params.csv).
#include <algorithm>
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/state_space_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

constexpr Name kFeedForwardNorm = "pre_ff_layernorm";

Layer feed_forward_layer(const Block& mixer, const Block& network) {
  return with_norm_names(pre_norm_layer(mixer, network), kMixerNorm, kFeedForwardNorm);
}

Attention read_biased_attention(ConfigReader& config, std::int64_t hidden_size) {
  Attention attention = read_attention(config, hidden_size, {.kv_heads = 8});
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  return attention;
}

DenseFfn read_feed_forward(ConfigReader& config, bool bias) {
  DenseFfn ffn = read_gated_ffn(config);
  ffn.bias = bias;
  ffn.names.module = "feed_forward";
  return ffn;
}

/// An offset within a period; both checked.
bool is_nth(std::int64_t i, std::int64_t period, std::int64_t offset) {
  return i % period == offset;
}

StateSpace read_jamba_mixer(ConfigReader& config, std::int64_t hidden_size) {
  StateSpace mixer{.kind = StateSpace::Kind::selective_scan, .module = "mamba"};
  mixer.inner_size = config.or_default("mamba_expand", 2, {1, 1000}) * hidden_size;
  mixer.state_size = config.or_default("mamba_d_state", 16);
  mixer.conv_kernel = config.or_default("mamba_d_conv", 4, {1, 1000});
  const std::int64_t automatic = (hidden_size + 15) / 16;
  mixer.step_rank = config.is_text("mamba_dt_rank") ? automatic : config.or_default("mamba_dt_rank", automatic);
  mixer.conv_bias = config.flag("mamba_conv_bias", true);
  mixer.projection_bias = config.flag("mamba_proj_bias", false);
  mixer.inner_norms = true;
  config.ignore({"mamba_dt_rank"});
  ignore_step_keys(config);
  return mixer;
}

MoeFfn read_jamba_experts(ConfigReader& config, const DenseFfn& dense) {
  MoeFfn moe{.intermediate_size = dense.intermediate_size,
             .activation = dense.activation,
             .router_name = "router",
             .names = {.module = "feed_forward"}};
  moe.experts = config.required("num_experts");
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  return moe;
}

/// Which layers of PLaMo-2 attend: one in mamba_step, in the middle of each step.
bool attends(std::int64_t i, std::int64_t layers, std::int64_t step) {
  return layers <= step / 2 ? i == layers - 1 : i % step == step / 2;
}

StateSpace read_plamo_mixer(ConfigReader& config, std::int64_t hidden_size, std::int64_t head_dim) {
  StateSpace mixer{.kind = StateSpace::Kind::per_head_low_rank, .conv_bias = false};
  mixer.heads = config.required("mamba_num_heads");
  mixer.inner_size = mixer.heads * head_dim;
  mixer.state_size = config.required("mamba_d_state");
  mixer.conv_kernel = config.or_default("mamba_d_conv", 4, {1, 1000});
  mixer.chunk = config.or_default("mamba_chunk_size", 256);
  mixer.step_rank = std::max<std::int64_t>(64, hidden_size / 16);
  return mixer;
}

}  // namespace

/// Attention and mixer read the same norm and add up; here they stand one after the other, the second without a norm.
Result<Arch> read_falcon_h1(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.names.final_norm = "model.final_layernorm";
  const Attention attention = read_biased_attention(config, arch.hidden_size);
  StateSpace mixer = read_mamba_heads(config, arch.hidden_size, config.or_default("mamba_d_ssm", 0, kWidthOrNone));
  mixer.gated_norm = config.flag("mamba_rms_norm", false);
  if (config.flag("projectors_bias", mixer.projection_bias) != mixer.projection_bias) {
    config.refuse_unsupported("projectors_bias", "a bias on one of the two projections is not modelled");
  }
  const DenseFfn ffn = read_feed_forward(config, config.flag("mlp_bias", false));
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"attention_in_multiplier",
                 "attention_out_multiplier",
                 "attn_layer_indices",
                 "key_multiplier",
                 "lm_head_multiplier",
                 "mamba_norm_before_gate",
                 "mamba_use_mlp",
                 "mlp_expansion_factor",
                 "mlp_multipliers",
                 "ssm_in_multiplier",
                 "ssm_multipliers",
                 "ssm_out_multiplier"});
  append_all_layers(config,
                    arch,
                    {.sub_layers = {{.block = attention, .norm_before = kMixerNorm},
                                    {.block = mixer, .norms_before = 0},
                                    {.block = ffn, .norm_before = kFeedForwardNorm}}});
  return config.finish(arch);
}

/// Attention on one layer in attn_layer_period, experts on one in expert_layer_period.
Result<Arch> read_jamba(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.names.final_norm = "model.final_layernorm";
  Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 8});
  attention.rotary = false;
  attention.sliding_window = config.optional("sliding_window");
  const StateSpace mixer = read_jamba_mixer(config, arch.hidden_size);
  const DenseFfn dense = read_feed_forward(config, false);
  const MoeFfn moe = read_jamba_experts(config, dense);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::int64_t attention_period = config.or_default("attn_layer_period", 8, kLayers);
  const std::int64_t attention_offset = config.or_default("attn_layer_offset", 4, {0, attention_period - 1});
  const std::int64_t expert_period = config.or_default("expert_layer_period", 2, kLayers);
  const std::int64_t expert_offset = config.or_default("expert_layer_offset", 1, {0, expert_period - 1});
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  for (std::int64_t i = 0; i < layers && !config.failed(); ++i) {
    const bool is_attention = is_nth(i, attention_period, attention_offset);
    const bool is_sparse = is_nth(i, expert_period, expert_offset) && moe.experts > 1;
    append_layers(
        arch.layer_groups,
        1,
        feed_forward_layer(is_attention ? Block(attention) : Block(mixer), is_sparse ? Block(moe) : Block(dense)));
  }
  return config.finish(arch);
}

Result<Arch> read_bamba(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.names.final_norm = "model.final_layernorm";
  const Attention attention = read_biased_attention(config, arch.hidden_size);
  const StateSpace mixer = read_mamba_heads(config, arch.hidden_size);
  const DenseFfn ffn = read_feed_forward(config, config.flag("mlp_bias", false));
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<std::int64_t> attending = config.integers("attn_layer_indices", kLayersOrNone);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"attn_rotary_emb", "z_loss_coefficient"});
  for (std::int64_t i = 0; i < layers && !config.failed(); ++i) {
    const bool attends = std::find(attending.begin(), attending.end(), i) != attending.end();
    append_layers(arch.layer_groups, 1, feed_forward_layer(attends ? Block(attention) : Block(mixer), ffn));
  }
  return config.finish(arch);
}

/// Norms before and after both blocks; attention with one norm vector for each head.
Result<Arch> read_plamo2(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  HeadCounts counts{.heads = config.required("num_attention_heads")};
  counts.kv_heads = config.required("num_key_value_heads");
  counts.head_dim = config.required("hidden_size_per_head");
  Attention attention = make_attention(config, counts, arch.hidden_size);
  attention.fused_qkv = true;
  attention.qk_norm = Attention::QkNorm::full;
  attention.sliding_window = config.optional("attention_window_size");
  const StateSpace mixer = read_plamo_mixer(config, arch.hidden_size, *counts.head_dim);
  DenseFfn ffn = read_gated_ffn(config);
  ffn.fused_gate_up = true;
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::int64_t step = config.or_default("mamba_step", 2, kLayers);
  const bool mixes = config.flag("mamba_enabled", true);
  if (!config.integers("full_attention_idx", kLayersOrNone).empty()) {
    config.refuse_unsupported("full_attention_idx", "layers without a window are not modelled for this type");
  }
  config.ignore({"eval_attention_n_bit", "eval_mlp_n_bit", "image_feature_size", "image_proj_type"});
  for (std::int64_t i = 0; i < layers && !config.failed(); ++i) {
    const Block block = !mixes || attends(i, layers, step) ? Block(attention) : Block(mixer);
    append_layers(arch.layer_groups, 1, {.sub_layers = {{block, 1, 1}, {ffn, 1, 1}}});
  }
  return config.finish(arch);
}

}  // namespace mekiki
