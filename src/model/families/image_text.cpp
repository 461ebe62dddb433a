// Text models of other families behind an image tower: GLM-4.1V, GLM-4.5V, LLaVA 1.5.
// Source: transformers Glm4vConfig, Glm4vMoeConfig, LlavaConfig; totals of published checkpoints
// (tests/data/models/params.csv).
#include <string>

#include "model/families/parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

using ReadText = Result<Arch> (*)(ConfigReader&);

/// The text part under text_config, or flat beside vision_config.
Result<Arch> read_with_tower(ConfigReader& config, ReadText read_text, ReadTower tower, const ModelNames& names) {
  const bool nested = config.has("text_config");
  ConfigReader text = nested ? config.section("text_config") : config;
  Result<Arch> arch = read_text(text);
  if (!arch) {
    return arch;
  }
  if (nested && config.has("tie_word_embeddings")) {
    const bool tied = config.flag("tie_word_embeddings", false);
    if (text.has("tie_word_embeddings") && tied != arch->tie_word_embeddings) {
      config.refuse("tie_word_embeddings", "and that of text_config contradict each other");
    }
    arch->tie_word_embeddings = tied;
  }
  arch->names = names;
  arch->vision = read_tower(config, arch->hidden_size, tower);
  config.ignore({"image_end_token_id", "image_start_token_id", "video_end_token_id", "video_start_token_id"});
  text.ignore({"image_end_token_id", "image_start_token_id"});
  return config.finish(*arch);
}

/// A Llama text_config that names only what differs from the 7B model.
Result<Arch> read_short_llama(ConfigReader& config) {
  if (config.text("model_type", "llama") != "llama") {
    config.refuse_unsupported("model_type", "only Llama text models are modelled for this type");
  }
  Arch arch;
  arch.hidden_size = config.or_class_default("hidden_size", 4096);
  arch.vocab_size = config.or_class_default("vocab_size", 32000);
  arch.max_position_embeddings = config.or_default("max_position_embeddings", 2048);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", false);
  HeadCounts counts{.heads = config.or_class_default("num_attention_heads", 32)};
  counts.kv_heads = config.or_default("num_key_value_heads", counts.heads);
  counts.head_dim = config.optional("head_dim");
  const Attention attention = make_attention(config, counts, arch.hidden_size);
  if (config.flag("attention_bias", false) || config.flag("mlp_bias", false)) {
    config.refuse_unsupported("attention_bias", "biases are not modelled for this type");
  }
  const DenseFfn ffn{.intermediate_size = config.or_class_default("intermediate_size", 11008),
                     .activation = read_activation(config, "hidden_act", "silu")};
  append_layers(
      arch.layer_groups, config.or_class_default("num_hidden_layers", 32, kLayers), pre_norm_layer(attention, ffn));
  return config.finish(arch);
}

}  // namespace

/// Heads are as wide together as the model, whatever head_dim says.
Result<Arch> read_glm4v(ConfigReader& config) {
  ConfigReader text = config.has("text_config") ? config.section("text_config") : config;
  if (text.has("head_dim")) {
    text.refuse_unsupported("head_dim", "this type does not read it");
  }
  return read_with_tower(config, read_glm4, read_downsampled_patches, kTextUnderModel);
}

Result<Arch> read_glm4v_moe(ConfigReader& config) {
  ConfigReader text = config.section("text_config");
  if (!text.has("attention_bias") || text.flag("use_qk_norm", false)) {
    text.refuse_unsupported("attention_bias", "must be there, and use_qk_norm false, for this type");
  }
  return read_with_tower(config, read_glm4_moe, read_downsampled_patches, kTextUnderModel);
}

Result<Arch> read_llava(ConfigReader& config) {
  config.ignore({"vocab_size"});
  return read_with_tower(config, read_short_llama, read_clip, kTextUnderLanguageModel);
}

}  // namespace mekiki
