// Kimi Linear: delta rule with a decay per channel on most layers, latent attention without positions on the others,
// dense layers first, then experts with a shared one.
// Source: transformers KimiLinearConfig, and the count of the model that it builds (tests/data/models/params.csv).
#include <algorithm>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

struct Delta {
  GatedDelta mixer;
  std::vector<bool> used;  // by layer
};

/// linear_attn_config numbers its layers from 1; each stands in one of two lists.
Delta read_delta(ConfigReader& config, std::int64_t layers) {
  ConfigReader options = config.section("linear_attn_config");
  Delta delta;
  delta.mixer.key_heads = options.required("num_heads");
  delta.mixer.key_head_dim = options.required("head_dim");
  delta.mixer.value_heads = delta.mixer.key_heads;
  delta.mixer.value_head_dim = delta.mixer.key_head_dim;
  delta.mixer.conv_kernel = options.or_default("short_conv_kernel_size", 4, {1, 1000});
  delta.mixer.gate_rank = delta.mixer.key_head_dim;
  delta.mixer.module = "self_attn";
  const std::vector<std::int64_t> full = options.integers("full_attn_layers", {1, 100'000});
  const std::vector<std::int64_t> linear = options.integers("kda_layers", {1, 100'000});
  for (std::int64_t i = 1; i <= layers && !config.failed(); ++i) {
    const bool is_full = std::find(full.begin(), full.end(), i) != full.end();
    const bool is_linear = std::find(linear.begin(), linear.end(), i) != linear.end();
    if (is_full == is_linear) {
      options.refuse("kda_layers", "and full_attn_layers must name each layer once; layer " + std::to_string(i));
    }
    delta.used.push_back(is_linear);
  }
  return delta;
}

MoeFfn read_experts(ConfigReader& config, Activation activation) {
  MoeFfn moe{.activation = activation, .correction_bias = true};
  moe.experts = config.any_of({"num_experts", "num_local_experts"});
  moe.experts_per_token = config.any_of({"num_experts_per_token", "num_experts_per_tok"}, {1, moe.experts});
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size = config.or_default("num_shared_experts", 1, {0, 1000}) * moe.intermediate_size;
  moe.names = {.module = "block_sparse_moe", .gate = "w1", .up = "w3", .down = "w2"};
  moe.places.shared_apart = true;
  config.ignore({"moe_renormalize",
                 "moe_router_activation_func",
                 "num_expert_group",
                 "topk_group",
                 "topk_method",
                 "use_grouped_topk"});
  return moe;
}

}  // namespace

Result<Arch> read_kimi_linear(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  if (arch.tie_word_embeddings) {
    config.refuse_unsupported("tie_word_embeddings", "the class does not tie its head");
  }
  LatentAttention attention = read_latent_attention(config, 0);
  attention.v_head_dim = config.required("v_head_dim");
  const DenseFfn dense = read_gated_ffn(config);
  const MoeFfn moe = read_experts(config, dense.activation);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const Delta delta = read_delta(config, layers);
  const std::vector<bool> sparse = read_sparse_layers(config, layers, 1);
  if (config.or_default("num_nextn_predict_layers", 0, kLayersOrNone) != 0) {
    config.refuse_unsupported("num_nextn_predict_layers", "MTP modules are not known for this type");
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"mla_use_nope"});
  for (std::size_t i = 0; i < delta.used.size() && !config.failed(); ++i) {
    const Block mixer = delta.used[i] ? Block(delta.mixer) : Block(attention);
    append_layers(arch.layer_groups, 1, pre_norm_layer(mixer, sparse[i] ? Block(moe) : Block(dense)));
  }
  return config.finish(arch);
}

}  // namespace mekiki
