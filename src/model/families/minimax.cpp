// MiniMax-01 and M1: lightning attention on most layers, softmax attention on the others, experts in all. Factors on
// the residuals have no weights. Source: transformers MiniMaxConfig; total of MiniMax-Text-01
// (tests/data/models/params.csv).
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

/// Where softmax attention stands: attn_type_list (0 or 1), layer_types, or every other layer from the first.
std::vector<bool> read_softmax_layers(ConfigReader& config, std::int64_t layers) {
  const std::vector<std::int64_t> types = config.integers("attn_type_list", {0, 1});
  const std::vector<std::string_view> kinds = read_layer_kinds(config, "layer_types", layers);
  if (!types.empty() && types.size() != static_cast<std::size_t>(layers)) {
    config.refuse("attn_type_list", "names " + std::to_string(types.size()) + " layers of " + std::to_string(layers));
  }
  if (!types.empty() && kinds.empty() && config.text("model_type", "minimax") == "minimax") {
    config.refuse_unsupported("attn_type_list", "this type reads layer_types", "give layer_types");
  }
  std::vector<bool> softmax;
  for (std::size_t i = 0; i < static_cast<std::size_t>(layers) && !config.failed(); ++i) {
    const bool listed = !kinds.empty() ? kinds[i] == "full_attention" : i % 2 == 0;
    if (!kinds.empty() && !listed && kinds[i] != "linear_attention") {
      config.refuse_unsupported("layer_types",
                                "layers of type \"" + std::string(kinds[i]) + "\" are not modelled here");
    }
    softmax.push_back(types.empty() ? listed : types[i] == 1);
  }
  return softmax;
}

MoeFfn read_experts(ConfigReader& config) {
  MoeFfn moe;
  moe.experts = config.required("num_local_experts");
  if (config.or_default("num_experts", moe.experts) != moe.experts) {
    config.refuse("num_experts", "is not num_local_experts");
  }
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("intermediate_size");
  moe.activation = read_activation(config, "hidden_act", "silu");
  moe.names = {.module = "block_sparse_moe", .gate = "w1", .up = "w3", .down = "w2"};
  if (config.or_default("shared_intermediate_size", 0, kWidthOrNone) != 0) {
    config.refuse_unsupported("shared_intermediate_size", "a shared expert is not modelled for this type");
  }
  return moe;
}

}  // namespace

Result<Arch> read_minimax(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 8});
  const MoeFfn moe = read_experts(config);
  const LightningAttention lightning{.heads = attention.heads,
                                     .head_dim = attention.head_dim,
                                     .chunk = config.or_default("block_size", 256),
                                     .activation = moe.activation};
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> softmax = read_softmax_layers(config, layers);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"full_attn_alpha_factor",
                 "full_attn_beta_factor",
                 "layernorm_full_attention_alpha",
                 "layernorm_full_attention_beta",
                 "layernorm_linear_attention_alpha",
                 "layernorm_linear_attention_beta",
                 "layernorm_mlp_alpha",
                 "layernorm_mlp_beta",
                 "linear_attn_alpha_factor",
                 "linear_attn_beta_factor",
                 "mlp_alpha_factor",
                 "mlp_beta_factor",
                 "postnorm",
                 "router_jitter_noise",
                 "shared_moe_mode",
                 "sliding_window"});
  for (const bool is_softmax : softmax) {
    append_layers(arch.layer_groups, 1, pre_norm_layer(is_softmax ? Block(attention) : Block(lightning), moe));
  }
  return config.finish(arch);
}

}  // namespace mekiki
