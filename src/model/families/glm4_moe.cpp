// GLM-4.5 and GLM-4.6: dense layers first, then experts with a shared one and a selection bias; modules that predict
// further tokens are a layer each, with a projection of the doubled width and three norms.
// Source: transformers Glm4MoeConfig; totals of GLM-4.5-Air and GLM-4.6 (tests/data/models/params.csv).
#include <algorithm>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Attention read_glm_attention(ConfigReader& config, std::int64_t hidden_size) {
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, hidden_size);
  attention.joins_rotary = true;
  attention.qkv_bias = config.flag("attention_bias", false);
  if (config.flag("use_qk_norm", false)) {
    attention.qk_norm = Attention::QkNorm::per_head;
  }
  return attention;
}

MoeFfn read_glm_moe(ConfigReader& config) {
  MoeFfn moe{.correction_bias = true};
  moe.experts = config.required("n_routed_experts");
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size = config.or_default("n_shared_experts", 1, {0, 1000}) * moe.intermediate_size;
  moe.activation = read_activation(config, "hidden_act", "silu");
  return moe;
}

}  // namespace

Result<Arch> read_glm4_moe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_glm_attention(config, arch.hidden_size);
  const DenseFfn dense = read_gated_ffn(config);
  const Layer sparse_layer = pre_norm_layer(attention, read_glm_moe(config));
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::int64_t first = std::min(layers, config.or_default("first_k_dense_replace", 1, kLayersOrNone));
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_layers(arch.layer_groups, first, pre_norm_layer(attention, dense));
  append_layers(arch.layer_groups, layers - first, sparse_layer);
  add_prediction_modules(arch, config.or_default("num_nextn_predict_layers", 0, kLayersOrNone), {sparse_layer});
  config.ignore({"n_group", "scoring_func", "topk_group", "topk_method"});
  return config.finish(arch);
}

}  // namespace mekiki
