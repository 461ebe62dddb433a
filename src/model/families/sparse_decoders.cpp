// Mixtures of experts around grouped-query attention: Phi-MoE, Granite-MoE, DBRX, DeepSeekMoE, MiniMax-M2, ERNIE 4.5.
// Source: the config class of each; totals of published checkpoints (tests/data/models/params.csv).
#include <algorithm>

#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

constexpr FfnNames kSparseNames{.module = "block_sparse_moe", .gate = "w1", .up = "w3", .down = "w2"};

/// Dense layers first, then sparse ones.
void append_dense_then_sparse(
    ConfigReader& config, Arch& arch, std::int64_t dense_layers, const Layer& dense, const Layer& sparse) {
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::int64_t first = std::min(layers, dense_layers);
  append_layers(arch.layer_groups, first, dense);
  append_layers(arch.layer_groups, layers - first, sparse);
}

MoeFfn read_local_experts(ConfigReader& config) {
  MoeFfn moe;
  moe.experts = read_spellings(config, {"num_local_experts", "num_experts"});
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("intermediate_size");
  moe.activation = read_activation(config, "hidden_act", "silu");
  return moe;
}

}  // namespace

Result<Arch> read_phimoe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.final_norm = NormKind::layer_norm;
  arch.head_bias = config.flag("lm_head_bias", false);
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.sliding_window = config.optional("sliding_window");
  MoeFfn moe = read_local_experts(config);
  moe.names = kSparseNames;
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  config.ignore({"expert_dropout", "input_jitter_noise", "router_jitter_noise"});
  append_all_layers(config, arch, pre_norm_layer(attention, moe, NormKind::layer_norm));
  return config.finish(arch);
}

Result<Arch> read_granitemoe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  MoeFfn moe = read_local_experts(config);
  moe.fused_gate_up = true;
  moe.names = {.module = kSparseNames.module, .down = "output_linear", .fused = "input_linear"};
  moe.places = {.experts = "", .storage = ExpertStorage::stacked_out_in, .stacked_suffix = ".weight"};
  moe.router_name = "router.layer";
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_all_layers(config, arch, pre_norm_layer(attention, moe));
  return config.finish(arch);
}

Result<Arch> read_dbrx(ConfigReader& config) {
  Arch arch;
  arch.names = {.embedding = "transformer.wte", .layers = "transformer.blocks", .final_norm = "transformer.norm_f"};
  arch.hidden_size = config.required("d_model");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("max_seq_len", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", false);
  arch.final_norm = NormKind::layer_norm_no_bias;
  ConfigReader attention_options = config.section("attn_config");
  const HeadCounts counts{.heads = config.required("n_heads"), .kv_heads = attention_options.required("kv_n_heads")};
  Attention attention = make_attention(config, counts, arch.hidden_size);
  attention.fused_qkv = true;
  attention.names = {.module = "norm_attn_norm.attn", .fused = "Wqkv", .output = "out_proj"};
  arch.dropout = {attention_options.rate("attn_pdrop", 0.0), config.rate("resid_pdrop", 0.0)};
  attention_options.ignore_rest();
  ConfigReader network = config.section("ffn_config");
  MoeFfn moe{.router_name = "router.layer",
             .names = {.module = "ffn", .gate = "w1", .up = "v1", .down = "w2"},
             .places = {.experts = "experts.mlp", .storage = ExpertStorage::stacked_in_rows}};
  moe.experts = network.required("moe_num_experts");
  moe.experts_per_token = read_experts_per_token(network, "moe_top_k", moe.experts);
  moe.intermediate_size = network.required("ffn_hidden_size");
  network.ignore_rest();
  config.ignore({"emb_pdrop", "move_model_to_device"});
  append_layers(arch.layer_groups,
                config.required("n_layers", kLayers),
                with_norm_names(pre_norm_layer(attention, moe, NormKind::layer_norm_no_bias),
                                "norm_attn_norm.norm_1",
                                "norm_attn_norm.norm_2"));
  return config.finish(arch);
}

/// The first DeepSeekMoE: multi-head attention, shared experts side by side.
Result<Arch> read_deepseek_moe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  const DenseFfn dense = read_gated_ffn(config);
  MoeFfn moe{.activation = dense.activation};
  moe.experts = config.required("n_routed_experts");
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size = config.or_default("n_shared_experts", 0, {0, 1000}) * moe.intermediate_size;
  if (config.or_default("moe_layer_freq", 1) != 1) {
    config.refuse_unsupported("moe_layer_freq", "sparse layers at a distance are not modelled for this type");
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"scoring_func"});
  append_dense_then_sparse(config,
                           arch,
                           config.or_default("first_k_dense_replace", 0, kLayersOrNone),
                           pre_norm_layer(attention, dense),
                           pre_norm_layer(attention, moe));
  return config.finish(arch);
}

/// Norms on queries and keys over the full width, a selection bias. The modules that predict further tokens are named
/// in the config but not in the published checkpoint.
Result<Arch> read_minimax_m2(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, arch.hidden_size, {.head_dim = 128});
  attention.qk_norm = Attention::QkNorm::full;
  if (!config.flag("use_qk_norm", true) || config.text("qk_norm_type", "per_layer") != "per_layer") {
    config.refuse_unsupported("use_qk_norm", "only norms on queries and keys of a whole layer are known");
  }
  attention.sliding_window = config.optional("sliding_window");
  MoeFfn moe = read_local_experts(config);
  moe.correction_bias = true;
  if (!config.flag("use_routing_bias", true)) {
    config.refuse_unsupported("use_routing_bias", "routers without a selection bias are not known for this type");
  }
  moe.names = kSparseNames;
  moe.places.correction_bias = "e_score_correction_bias";
  if (config.or_default("shared_intermediate_size", 0, kWidthOrNone) != 0) {
    config.refuse_unsupported("shared_intermediate_size", "a shared expert is not modelled for this type");
  }
  const std::vector<std::int64_t> types = config.integers("attn_type_list", {0, 1});
  if (std::find(types.begin(), types.end(), 0) != types.end()) {
    config.refuse_unsupported("attn_type_list", "linear attention is not modelled");
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"attn_window_size",
                 "layernorm_full_attention_beta",
                 "mtp_transformer_layers",
                 "num_mtp_modules",
                 "router_jitter_noise",
                 "scoring_func",
                 "use_mtp"});
  append_all_layers(config, arch, pre_norm_layer(attention, moe));
  return config.finish(arch);
}

Result<Arch> read_ernie4_5(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 2, .head_dim = 128});
  DenseFfn ffn = read_gated_ffn(config);
  ffn.bias = config.flag("use_bias", false);
  attention.qkv_bias = ffn.bias;
  attention.output_bias = ffn.bias;
  append_all_layers(config, arch, pre_norm_layer(attention, ffn));
  return config.finish(arch);
}

Result<Arch> read_ernie4_5_moe(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  const Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 4});
  const DenseFfn dense = read_gated_ffn(config);
  MoeFfn moe{.activation = dense.activation, .correction_bias = true};
  moe.places.correction_bias = "moe_statics.e_score_correction_bias";
  moe.places.correction_as_row = true;
  moe.experts = read_spellings(config, {"moe_num_experts", "num_experts"});
  moe.experts_per_token = read_experts_per_token(config, "moe_k", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size =
      config.or_class_default("moe_num_shared_experts", 2, {0, 1000}) * moe.intermediate_size;
  if (config.flag("use_bias", false)) {
    config.refuse_unsupported("use_bias", "biases are not modelled for this type");
  }
  if (config.or_default("moe_layer_interval", 1) != 1) {
    config.refuse_unsupported("moe_layer_interval", "sparse layers at a distance are not modelled for this type");
  }
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::int64_t first = std::min(layers, config.or_default("moe_layer_start_index", 1, kLayersOrNone));
  const std::int64_t last = config.or_default("moe_layer_end_index", -1, {-1, kLayers.high});
  const std::int64_t sparse = std::max<std::int64_t>(last < 0 ? layers - first : std::min(layers, last + 1) - first, 0);
  append_layers(arch.layer_groups, first, pre_norm_layer(attention, dense));
  append_layers(arch.layer_groups, sparse, pre_norm_layer(attention, moe));
  append_layers(arch.layer_groups, layers - first - sparse, pre_norm_layer(attention, dense));
  return config.finish(arch);
}

}  // namespace mekiki
