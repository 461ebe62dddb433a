// Gemma 4 without per-layer embeddings: as Gemma 3, but layers that see everything have wider heads, fewer key-value
// heads and no value projection, and some models have experts beside the dense network (three more norms then).
// Source: transformers Gemma4TextConfig, Gemma4Config; totals of gemma-4-26B-A4B and gemma-4-31B
// (tests/data/models/params.csv), which leave out one stored factor per layer and the
// scaling of the tower.
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

struct Attentions {
  Attention sliding;
  Attention full;
};

Attentions read_attentions(ConfigReader& config, std::int64_t hidden_size) {
  HeadCounts counts{.heads = config.required("num_attention_heads")};
  counts.kv_heads = config.required("num_key_value_heads");
  counts.head_dim = config.or_class_default("head_dim", 256);
  Attention sliding = make_attention(config, counts, hidden_size);
  sliding.qkv_bias = config.flag("attention_bias", false);
  sliding.output_bias = sliding.qkv_bias;
  sliding.qk_norm = Attention::QkNorm::per_head;
  HeadCounts global = counts;
  global.head_dim = config.or_class_default("global_head_dim", 512);
  const std::int64_t global_kv_heads = config.or_default("num_global_key_value_heads", counts.kv_heads);
  const bool value_is_key = config.flag("attention_k_eq_v", false);
  global.kv_heads = value_is_key ? global_kv_heads : counts.kv_heads;
  Attention full = make_attention(config, global, hidden_size);
  full.qkv_bias = sliding.qkv_bias;
  full.output_bias = sliding.output_bias;
  full.qk_norm = sliding.qk_norm;
  full.value_is_key = value_is_key;
  sliding.sliding_window = config.or_class_default("sliding_window", 512);
  return {sliding, full};
}

MoeFfn read_experts(ConfigReader& config, Activation activation) {
  MoeFfn moe{.activation = activation, .fused_gate_up = true, .router_scale = true, .router_name = "router.proj"};
  moe.experts = config.required("num_experts");
  moe.experts_per_token = read_experts_per_token(config, "top_k_experts", moe.experts);
  moe.intermediate_size = config.any_of({"moe_intermediate_size", "expert_intermediate_size"});
  moe.names.module = "";
  moe.places.storage = ExpertStorage::stacked_out_in;
  return moe;
}

void refuse_other_sizes(ConfigReader& config) {
  if (config.or_class_default("hidden_size_per_layer_input", 256, kWidthOrNone) != 0) {
    config.refuse_unsupported("hidden_size_per_layer_input", "embeddings of single layers are not modelled");
  }
  if (config.or_default("num_kv_shared_layers", 0, kLayersOrNone) != 0) {
    config.refuse_unsupported("num_kv_shared_layers", "layers that share keys and values are not modelled");
  }
  if (config.flag("use_double_wide_mlp", false)) {
    config.refuse_unsupported("use_double_wide_mlp", "networks of twice the width are not modelled");
  }
}

Layer layer_of(const Attention& attention, const DenseFfn& dense, const std::optional<MoeFfn>& moe) {
  Layer layer = sandwich_norm_layer(attention, dense);
  layer.output_scalar = true;
  if (moe) {
    layer.sub_layers[1].norm_after = "post_feedforward_layernorm_1";
    layer.sub_layers.push_back(
        {*moe, 1, 2, "pre_feedforward_layernorm_2", "post_feedforward_layernorm_2", "post_feedforward_layernorm"});
  }
  return layer;
}

Arch read_text(ConfigReader& config, bool tied) {
  Arch arch = read_frame(config, tied);
  arch.logit_soft_cap = config.has("final_logit_softcapping");
  refuse_other_sizes(config);
  const Attentions attentions = read_attentions(config, arch.hidden_size);
  const DenseFfn dense{.intermediate_size = config.required("intermediate_size"),
                       .activation = read_activation(config, "hidden_activation", "gelu_pytorch_tanh")};
  std::optional<MoeFfn> moe;
  if (config.flag("enable_moe_block", false)) {
    moe = read_experts(config, dense.activation);
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t i) { return (i + 1) % 6 != 0; });
  if (!sliding.empty()) {
    sliding.back() = false;
  }
  config.ignore({"expert_intermediate_size",
                 "final_logit_softcapping",
                 "moe_intermediate_size",
                 "num_experts",
                 "top_k_experts",
                 "use_bidirectional_attention",
                 "vocab_size_per_layer_input"});
  for (const bool slides : sliding) {
    append_layers(arch.layer_groups, 1, layer_of(slides ? attentions.sliding : attentions.full, dense, moe));
  }
  return arch;
}

}  // namespace

Result<Arch> read_gemma4(ConfigReader& config) {
  if (!config.has("text_config")) {
    return config.finish(read_text(config, true));
  }
  ConfigReader text = config.section("text_config");
  Arch arch = read_text(text, true);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", arch.tie_word_embeddings);
  if (config.has("audio_config")) {
    config.refuse_unsupported("audio_config", "audio towers are not modelled");
  }
  arch.names = kTextUnderModel;
  arch.vision = read_tower(config, arch.hidden_size, read_pooled_patches);
  config.ignore({"audio_config",
                 "audio_token_id",
                 "boa_token_id",
                 "boi_token_id",
                 "eoa_token_id",
                 "eoa_token_index",
                 "eoi_token_id",
                 "vision_soft_tokens_per_image"});
  return config.finish(arch);
}

}  // namespace mekiki
