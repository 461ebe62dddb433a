// Multi-head latent attention around dense networks and experts: DeepSeek-V2, V3 (Kimi-K2, Moonlight) and V3.2, GLM-5,
// GLM-4.7-Flash, MiniCPM3, Mistral Small 4, Kimi-K2.5.
// Source: transformers DeepseekV2Config, DeepseekV3Config, DeepseekV32Config, GlmMoeDsaConfig, Glm4MoeLiteConfig,
// MiniCPM3Config, Mistral4Config, KimiK25Config; totals of published checkpoints (tests/data/models/params.csv).
#include <algorithm>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

MoeFfn read_experts(ConfigReader& config, Activation activation, std::int64_t shared_by_class) {
  MoeFfn moe{.activation = activation, .correction_bias = true};
  moe.experts = config.required("n_routed_experts");
  if (config.or_default("num_experts", moe.experts) != moe.experts) {
    config.refuse("num_experts", "is not n_routed_experts");
  }
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size =
      config.or_default("n_shared_experts", shared_by_class, {0, 1000}) * moe.intermediate_size;
  constexpr Range kGroups{0, 4096};
  const std::int64_t groups = config.or_default("n_group", 1, kGroups);
  const std::int64_t chosen = config.or_default("topk_group", groups, kGroups);
  moe.groups_per_token = groups > 1 && chosen < groups ? chosen : 0;
  config.ignore({"moe_router_dtype", "scoring_func", "topk_method"});
  return moe;
}

struct Blocks {
  Arch arch;
  LatentAttention attention;
  DenseFfn dense;
  MoeFfn moe;
};

struct ClassDefaults {
  std::int64_t query_rank = 1536;
  std::int64_t shared_experts = 1;
};

Blocks read_blocks(ConfigReader& config, const ClassDefaults& by_class = {}) {
  Blocks blocks;
  blocks.arch = read_frame(config, false);
  blocks.attention = read_latent_attention(config, by_class.query_rank);
  blocks.attention.v_head_dim = config.required("v_head_dim");
  blocks.dense = read_gated_ffn(config);
  blocks.moe = read_experts(config, blocks.dense.activation, by_class.shared_experts);
  if (config.flag("mlp_bias", false)) {
    config.refuse_unsupported("mlp_bias", "networks with biases are not modelled for this type");
  }
  blocks.arch.dropout.attention = config.rate("attention_dropout", 0.0);
  return blocks;
}

/// All layers alike but for the network, then the MTP modules, which are sparse layers.
Result<Arch> finish(ConfigReader& config, Blocks blocks, std::int64_t dense_by_class) {
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const Layer sparse = pre_norm_layer(blocks.attention, blocks.moe);
  for (const bool is_sparse : read_sparse_layers(config, layers, dense_by_class)) {
    append_layers(blocks.arch.layer_groups, 1, is_sparse ? sparse : pre_norm_layer(blocks.attention, blocks.dense));
  }
  add_prediction_modules(blocks.arch, config.or_default("num_nextn_predict_layers", 0, kLayersOrNone), {sparse});
  return config.finish(blocks.arch);
}

/// Layers of index_topk_freq, less those up to index_skip_topk_offset, have an indexer of their own.
std::vector<bool> read_own_indexers(ConfigReader& config, std::int64_t layers) {
  const std::vector<std::string_view> kinds = read_layer_kinds(config, "indexer_types", layers);
  const std::int64_t one_in = config.or_default("index_topk_freq", 1, kLayers);
  const std::int64_t offset = config.or_default("index_skip_topk_offset", 2, kLayersOrNone);
  if (kinds.empty() && config.has("index_topk_pattern")) {
    config.refuse_unsupported("index_topk_pattern", "a pattern of indexers is not modelled", "give indexer_types");
  }
  config.ignore({"index_share_for_mtp_iteration", "index_topk_pattern", "indexer_rope_interleave"});
  std::vector<bool> own;
  for (std::int64_t i = 0; i < layers && kinds.empty(); ++i) {
    own.push_back(std::max<std::int64_t>(i - offset + 1, 0) % one_in == 0);
  }
  for (const std::string_view kind : kinds) {
    if (kind != "full" && kind != "shared") {
      config.refuse_unsupported("indexer_types", "indexers of type \"" + std::string(kind) + "\" are not modelled");
    }
    own.push_back(kind == "full");
  }
  return own;
}

Blocks read_indexed_blocks(ConfigReader& config, const ClassDefaults& by_class = {}) {
  Blocks blocks = read_blocks(config, by_class);
  blocks.attention.indexer = KeyIndexer{.heads = config.required("index_n_heads"),
                                        .head_dim = config.required("index_head_dim"),
                                        .keys_chosen = config.required("index_topk")};
  return blocks;
}

}  // namespace

/// Routers without a selection bias.
Result<Arch> read_deepseek_v2(ConfigReader& config) {
  Blocks blocks = read_blocks(config, {.shared_experts = 2});
  blocks.moe.correction_bias = false;
  return finish(config, blocks, 0);
}

Result<Arch> read_deepseek_v3(ConfigReader& config) {
  return finish(config, read_blocks(config), 3);
}

Result<Arch> read_deepseek_v32(ConfigReader& config) {
  return finish(config, read_indexed_blocks(config), 3);
}

Result<Arch> read_glm4_moe_lite(ConfigReader& config) {
  const Blocks blocks = read_blocks(config, {.query_rank = 768});
  const std::int64_t rotated = blocks.attention.qk_rope_head_dim;
  if (config.or_default("head_dim", rotated) != rotated) {
    config.refuse("head_dim", "is another word for qk_rope_head_dim here, and differs");
  }
  if (!config.has("mlp_layer_types") && config.or_default("first_k_dense_replace", 1, kLayersOrNone) != 1) {
    config.refuse_unsupported("first_k_dense_replace", "this type has one dense layer", "give mlp_layer_types");
  }
  return finish(config, blocks, 1);
}

/// As DeepSeek-V3.2; layers without an indexer take over the choices of an earlier one.
Result<Arch> read_glm_moe_dsa(ConfigReader& config) {
  Blocks blocks = read_indexed_blocks(config, {.query_rank = 2048});
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> own = read_own_indexers(config, layers);
  const std::vector<bool> sparse = read_sparse_layers(config, layers, 3);
  if (config.failed()) {
    return config.finish(blocks.arch);
  }
  LatentAttention reusing = blocks.attention;
  reusing.indexer->reused = true;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const LatentAttention& attention = own[i] ? blocks.attention : reusing;
    const Layer layer = sparse[i] ? pre_norm_layer(attention, blocks.moe) : pre_norm_layer(attention, blocks.dense);
    append_layers(blocks.arch.layer_groups, 1, layer);
  }
  add_prediction_modules(blocks.arch,
                         config.or_default("num_nextn_predict_layers", 0, kLayersOrNone),
                         {pre_norm_layer(blocks.attention, blocks.moe)});
  return config.finish(blocks.arch);
}

/// Dense networks only; scaled residuals and logits have no weights.
Result<Arch> read_minicpm3(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  LatentAttention attention = read_latent_attention(config, 768);
  attention.v_head_dim = config.or_default("v_head_dim", std::max<std::int64_t>(arch.hidden_size / attention.heads, 1));
  if (!config.has("v_head_dim") && arch.hidden_size % attention.heads != 0) {
    config.refuse("hidden_size", "is no multiple of num_attention_heads", "give v_head_dim");
  }
  const DenseFfn ffn = read_gated_ffn(config);
  if (config.flag("mlp_bias", false)) {
    config.refuse_unsupported("mlp_bias", "networks with biases are not modelled for this type");
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"dim_model_base", "mup_denominator", "scale_depth", "scale_emb"});
  append_all_layers(config, arch, pre_norm_layer(attention, ffn));
  return config.finish(arch);
}

/// Experts in every layer, stored stacked; routers without a selection bias.
Result<Arch> read_mistral4(ConfigReader& config) {
  Blocks blocks = read_blocks(config, {.query_rank = 1024});
  blocks.moe.correction_bias = false;
  blocks.moe.fused_gate_up = true;
  blocks.moe.places.storage = ExpertStorage::stacked_out_in;
  blocks.moe.places.shared_apart = true;
  return finish(config, blocks, 0);
}

/// A text model of the V3 kind under text_config, behind an image tower.
Result<Arch> read_kimi_k25(ConfigReader& config) {
  ConfigReader text = config.section("text_config");
  Result<Arch> arch = read_deepseek_v3(text);
  if (!arch) {
    return arch;
  }
  arch->tie_word_embeddings = config.flag("tie_word_embeddings", true);
  arch->names = kTextUnderLanguageModel;
  arch->vision = read_tower(config, arch->hidden_size, read_moonvit);
  return config.finish(*arch);
}

}  // namespace mekiki
