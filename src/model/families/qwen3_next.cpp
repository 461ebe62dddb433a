// Qwen3-Next and Qwen3.5: gated delta rule on three of four layers, attention with an output gate on the fourth, dense
// networks or experts with a gated shared one, one MTP module (a layer with attention).
// Source: transformers Qwen3NextConfig, Qwen3_5Config, Qwen3_5MoeConfig; totals of published checkpoints
// (tests/data/models/params.csv).
#include <algorithm>

#include "model/families/parts.h"
#include "model/families/qwen_parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

GatedDelta read_delta(ConfigReader& config, bool fused_inputs) {
  return {.key_heads = config.required("linear_num_key_heads"),
          .value_heads = config.required("linear_num_value_heads"),
          .key_head_dim = config.required("linear_key_head_dim"),
          .value_head_dim = config.required("linear_value_head_dim"),
          .conv_kernel = config.or_default("linear_conv_kernel_dim", 4, {1, 1000}),
          .fused_inputs = fused_inputs};
}

Attention read_gated_attention(ConfigReader& config, std::int64_t hidden_size) {
  HeadCounts counts{.heads = config.required("num_attention_heads")};
  counts.kv_heads = config.required("num_key_value_heads");
  counts.head_dim = config.or_class_default("head_dim", 256);
  Attention attention = make_attention(config, counts, hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.qk_norm = Attention::QkNorm::per_head;
  attention.output_gate = config.flag("attn_output_gate", true);
  return attention;
}

MoeFfn read_shared_moe(ConfigReader& config) {
  MoeFfn moe = read_qwen_moe(config);
  moe.shared_intermediate_size = config.required("shared_expert_intermediate_size", kWidthOrNone);
  moe.shared_gate = true;
  moe.places.shared = "shared_expert";
  return moe;
}

std::vector<bool> read_full_layers(ConfigReader& config, std::int64_t layers) {
  const std::vector<std::string_view> kinds = read_layer_kinds(config, "layer_types", layers);
  const std::int64_t one_in = config.or_default("full_attention_interval", 4, kLayers);
  std::vector<bool> full;
  for (std::int64_t i = 0; i < layers && kinds.empty(); ++i) {
    full.push_back((i + 1) % one_in == 0);
  }
  for (const std::string_view kind : kinds) {
    if (kind != "full_attention" && kind != "linear_attention") {
      config.refuse_unsupported("layer_types", "layers of type \"" + std::string(kind) + "\" are not modelled here");
    }
    full.push_back(kind == "full_attention");
  }
  return full;
}

struct Mixers {
  GatedDelta delta;
  Attention attention;
};

/// `network(i)` is the network of layer i; the MTP module has that of the last layer.
template <class NetworkOf>
void append_mixed_layers(
    ConfigReader& config, Arch& arch, const Mixers& mixers, std::int64_t modules, NetworkOf network) {
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> full = read_full_layers(config, layers);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"mamba_ssm_dtype", "use_sliding_window"});
  for (std::int64_t i = 0; i < layers && !config.failed(); ++i) {
    const Block mixer = full[static_cast<std::size_t>(i)] ? Block(mixers.attention) : Block(mixers.delta);
    append_layers(arch.layer_groups, 1, pre_norm_layer(mixer, network(i)));
  }
  add_prediction_modules(arch, modules, {pre_norm_layer(mixers.attention, network(layers - 1))});
}

Arch read_qwen3_5_text_model(ConfigReader& config, bool sparse) {
  Arch arch = read_frame(config, false);
  const Mixers mixers{read_delta(config, false), read_gated_attention(config, arch.hidden_size)};
  const Block network = sparse ? Block(read_shared_moe(config)) : Block(read_gated_ffn(config));
  const std::int64_t modules = config.or_class_default("mtp_num_hidden_layers", 1, kLayersOrNone);
  if (config.flag("mtp_use_dedicated_embeddings", false)) {
    config.refuse_unsupported("mtp_use_dedicated_embeddings", "embeddings of MTP modules are not modelled");
  }
  if (!config.integers("mlp_only_layers", kLayersOrNone).empty()) {
    config.refuse_unsupported("mlp_only_layers", "dense layers among sparse ones are not modelled for this type");
  }
  append_mixed_layers(config, arch, mixers, modules, [&](std::int64_t) { return network; });
  return arch;
}

Result<Arch> read_qwen3_5_any(ConfigReader& config, bool sparse) {
  if (!config.has("text_config")) {
    return config.finish(read_qwen3_5_text_model(config, sparse));
  }
  ConfigReader text = config.section("text_config");
  Arch arch = read_qwen3_5_text_model(text, sparse);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", arch.tie_word_embeddings);
  arch.names = kTextUnderModel;
  arch.vision = read_tower(config, arch.hidden_size, read_merged_patches_with_positions);
  return config.finish(arch);
}

}  // namespace

/// Published checkpoints hold one MTP module, which their config does not mention.
Result<Arch> read_qwen3_next(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Mixers mixers{read_delta(config, true), read_gated_attention(config, arch.hidden_size)};
  const DenseFfn dense = read_gated_ffn(config);
  const MoeFfn moe = read_shared_moe(config);
  const std::vector<std::int64_t> dense_layers = config.integers("mlp_only_layers", kLayersOrNone);
  const std::int64_t step = config.or_default("decoder_sparse_step", 1, kLayers);
  const std::int64_t modules = config.or_default("num_nextn_predict_layers", 1, kLayersOrNone);
  append_mixed_layers(config, arch, mixers, modules, [&](std::int64_t i) {
    const bool listed = std::find(dense_layers.begin(), dense_layers.end(), i) != dense_layers.end();
    return !listed && (i + 1) % step == 0 ? Block(moe) : Block(dense);
  });
  return config.finish(arch);
}

Result<Arch> read_qwen3_5(ConfigReader& config) {
  return read_qwen3_5_any(config, false);
}

Result<Arch> read_qwen3_5_moe(ConfigReader& config) {
  return read_qwen3_5_any(config, true);
}

}  // namespace mekiki
