// Mixtures of experts around grouped-query attention: AFMoE (Trinity), dots.llm1, OLMoE, FlexOlmo, Hunyuan-A13B.
// Source: transformers AfmoeConfig, Dots1Config, OlmoeConfig, FlexOlmoConfig, HunYuanMoEV1Config.
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Attention read_biased_attention(ConfigReader& config, std::int64_t hidden_size, Attention::QkNorm norm) {
  Attention attention = read_attention(config, hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.qk_norm = norm;
  return attention;
}

/// Experts of intermediate_size, num_experts of them.
MoeFfn read_equal_experts(ConfigReader& config) {
  MoeFfn moe;
  moe.experts = config.any_of({"num_experts", "num_local_experts"});
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("intermediate_size");
  moe.activation = read_activation(config, "hidden_act", "silu");
  return moe;
}

Layer afmoe_layer(const Attention& attention, const Block& network) {
  return {.sub_layers = {{attention, 1, 1, kMixerNorm, kNetworkNorm},
                         {network, 1, 1, "pre_mlp_layernorm", "post_mlp_layernorm"}}};
}

MoeFfn read_afmoe_experts(ConfigReader& config, Activation activation) {
  MoeFfn moe{.activation = activation, .correction_bias = true, .router_name = "router.gate"};
  moe.experts = config.any_of({"num_experts", "num_local_experts"});
  if (config.or_default("num_local_experts", moe.experts) != moe.experts) {
    config.refuse("num_local_experts", "is not num_experts");
  }
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size = config.or_default("num_shared_experts", 2, {0, 1000}) * moe.intermediate_size;
  moe.places.correction_bias = "expert_bias";
  return moe;
}

}  // namespace

/// A gate on the output of attention, norms before and after, windows on all but one layer in a few, dense layers
/// first.
Result<Arch> read_afmoe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  config.required("head_dim");
  Attention attention = read_biased_attention(config, arch.hidden_size, Attention::QkNorm::per_head);
  attention.output_gate = true;
  attention.names.gate = "gate_proj";
  const DenseFfn dense = read_gated_ffn(config);
  const MoeFfn moe = read_afmoe_experts(config, dense.activation);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::int64_t dense_layers = config.or_default("num_dense_layers", 1, kLayersOrNone);
  const std::int64_t one_in = config.or_default("global_attn_every_n_layers", 4, kLayers);
  const std::int64_t window = config.or_class_default("sliding_window", 1024);
  std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t) { return true; });
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"load_balance_coeff",
                 "mup_enabled",
                 "n_group",
                 "num_expert_groups",
                 "num_limited_groups",
                 "route_norm",
                 "route_scale",
                 "score_func",
                 "topk_group",
                 "use_grouped_mm"});
  for (std::int64_t i = 0; i < layers && !config.failed(); ++i) {
    const bool listed = config.has("layer_types") ? sliding[static_cast<std::size_t>(i)] : (i + 1) % one_in != 0;
    attention.sliding_window = listed ? std::optional(window) : std::nullopt;
    append_layers(arch.layer_groups, 1, afmoe_layer(attention, i < dense_layers ? Block(dense) : Block(moe)));
  }
  return config.finish(arch);
}

Result<Arch> read_dots1(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  config.required("num_key_value_heads");
  Attention attention = read_biased_attention(config, arch.hidden_size, Attention::QkNorm::per_head);
  const DenseFfn dense = read_gated_ffn(config);
  MoeFfn moe{.activation = dense.activation, .correction_bias = true};
  moe.experts = config.required("n_routed_experts");
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size = config.or_default("n_shared_experts", 0, {0, 1000}) * moe.intermediate_size;
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> sparse = read_sparse_layers(config, layers, 0);
  std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t) { return false; });
  const std::int64_t first = config.or_default("max_window_layers", layers, kLayersOrNone);
  const std::optional<std::int64_t> window = config.optional("sliding_window");
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"n_group", "scoring_func", "topk_group", "topk_method"});
  for (std::int64_t i = 0; i < layers && !config.failed(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    attention.sliding_window = (config.has("layer_types") ? sliding[at] : i >= first) ? window : std::nullopt;
    append_layers(arch.layer_groups, 1, pre_norm_layer(attention, sparse[at] ? Block(moe) : Block(dense)));
  }
  return config.finish(arch);
}

Result<Arch> read_olmoe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_biased_attention(config, arch.hidden_size, Attention::QkNorm::full);
  if (attention.heads * attention.head_dim != arch.hidden_size) {
    config.refuse_unsupported("head_dim", "heads that are not as wide together as the model are not modelled");
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"clip_qkv"});
  append_all_layers(config, arch, pre_norm_layer(attention, read_equal_experts(config)));
  return config.finish(arch);
}

/// Norms after the blocks instead of before.
Result<Arch> read_flex_olmo(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_biased_attention(config, arch.hidden_size, Attention::QkNorm::full);
  const MoeFfn moe = read_equal_experts(config);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_all_layers(config,
                    arch,
                    {.sub_layers = {{attention, 0, 1, "", "post_attention_layernorm"},
                                    {moe, 0, 1, "", "post_feedforward_layernorm"}}});
  return config.finish(arch);
}

/// Sizes may be lists with one value per layer; all must be equal.
Result<Arch> read_hunyuan_moe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  HeadCounts counts{.heads = config.required("num_attention_heads")};
  counts.kv_heads = config.or_default("num_key_value_heads", counts.heads);
  counts.head_dim = config.optional(config.has("attention_head_dim") ? "attention_head_dim" : "head_dim");
  Attention attention = make_attention(config, counts, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.qk_norm = Attention::QkNorm::per_head;
  attention.names.query_norm = "query_layernorm";
  attention.names.key_norm = "key_layernorm";
  MoeFfn moe{.activation = read_activation(config, "hidden_act", "silu"), .router_name = "gate.wg"};
  const std::int64_t width = config.required("intermediate_size");
  moe.experts = config.integer_of_all("num_experts").value_or(1);
  moe.experts_per_token = config.integer_of_all("moe_topk", {1, moe.experts}).value_or(1);
  moe.intermediate_size = config.integer_of_all("moe_intermediate_size").value_or(width);
  if (moe.intermediate_size != width) {
    config.refuse_unsupported("moe_intermediate_size", "experts of another width than intermediate_size are not known");
  }
  if (!config.flag("use_qk_norm", true)) {
    config.refuse_unsupported("use_qk_norm", "layers without norms on queries and keys are not known");
  }
  moe.shared_intermediate_size = config.integer_of_all("num_shared_expert", {0, 1000}).value_or(1) * width;
  moe.places.shared = "shared_mlp";
  if (config.flag("use_cla", false) || config.flag("use_mla", false)) {
    config.refuse_unsupported("use_cla", "shared or latent keys and values are not modelled for this type");
  }
  if (!config.flag("use_mixed_mlp_moe", true) || config.or_default("moe_layer_num_skipped", 0, kLayersOrNone) != 0) {
    config.refuse_unsupported("use_mixed_mlp_moe", "layers without a shared expert, or dense ones, are not modelled");
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore_rest();
  append_all_layers(config, arch, pre_norm_layer(attention, moe));
  return config.finish(arch);
}

}  // namespace mekiki
