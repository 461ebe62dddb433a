// Llama 4: experts with a shared one of the same width on every interleave_moe_layer_step-th layer, attention within
// chunks on three of four layers (norms on queries and keys have no weights), an image tower.
// Source: transformers Llama4TextConfig, Llama4VisionConfig; totals of Scout and Maverick
// (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

constexpr Name kNetwork = "feed_forward";

/// Layers that see everything: those without rotary positions, every fourth where no list says otherwise.
std::vector<bool> read_chunked_layers(ConfigReader& config, std::int64_t layers) {
  const std::vector<std::int64_t> rotated = config.integers("no_rope_layers", {0, 1});
  const std::int64_t interval = config.or_default("no_rope_layer_interval", 4, kLayers);
  if (!rotated.empty() && rotated.size() != static_cast<std::size_t>(layers)) {
    config.refuse("no_rope_layers", "names " + std::to_string(rotated.size()) + " layers of " + std::to_string(layers));
  }
  std::vector<bool> chunked;
  for (std::int64_t i = 0; i < layers; ++i) {
    const bool listed = static_cast<std::size_t>(i) < rotated.size();
    chunked.push_back(listed ? rotated[static_cast<std::size_t>(i)] != 0 : (i + 1) % interval != 0);
  }
  return chunked;
}

MoeFfn read_experts(ConfigReader& config, Activation activation) {
  MoeFfn moe{.activation = activation, .fused_gate_up = true, .router_name = "router"};
  moe.names.module = kNetwork;
  moe.places = {.shared = "shared_expert", .shared_apart = true, .storage = ExpertStorage::stacked_in_out};
  moe.experts = config.required("num_local_experts");
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("intermediate_size");
  moe.shared_intermediate_size = moe.intermediate_size;
  return moe;
}

Arch read_text(ConfigReader& config, bool tied_by_class) {
  Arch arch = read_frame(config, tied_by_class);
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, arch.hidden_size, {.head_dim = 128});
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  const Activation activation = read_activation(config, "hidden_act", "silu");
  const MoeFfn moe = read_experts(config, activation);
  const DenseFfn dense{.intermediate_size = config.required("intermediate_size_mlp"),
                       .activation = activation,
                       .names = {.module = kNetwork}};
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::int64_t step = config.required("interleave_moe_layer_step", kLayers);
  const std::optional<std::int64_t> chunk = config.optional("attention_chunk_size");
  const std::vector<bool> chunked = read_chunked_layers(config, layers);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"attn_scale",
                 "attn_temperature_tuning",
                 "floor_scale",
                 "for_llm_compressor",
                 "layer_types",
                 "moe_layers",
                 "router_jitter_noise",
                 "use_qk_norm"});
  for (std::int64_t i = 0; i < layers; ++i) {
    attention.chunk = chunked[static_cast<std::size_t>(i)] ? chunk : std::nullopt;
    const bool sparse = (i + 1) % step == 0;
    append_layers(arch.layer_groups, 1, pre_norm_layer(attention, sparse ? Block(moe) : Block(dense)));
  }
  return arch;
}

}  // namespace

Result<Arch> read_llama4(ConfigReader& config) {
  if (!config.has("text_config")) {
    return config.finish(read_text(config, false));
  }
  ConfigReader text = config.section("text_config");
  Arch arch = read_text(text, config.flag("tie_word_embeddings", false));
  arch.names = kTextUnderLanguageModel;
  arch.vision = read_tower(config, arch.hidden_size, read_shuffled_patches);
  return config.finish(arch);
}

}  // namespace mekiki
