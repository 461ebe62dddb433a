// Gemma 3: as Gemma 2, with norms on queries and keys instead of soft caps, windows on five of six layers, and a SigLIP
// image tower from 4B on. Trimmed text_config objects leave most dimensions to the class.
// Source: transformers Gemma3TextConfig, Gemma3Config; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

std::vector<bool> read_pattern(ConfigReader& config, std::int64_t layers) {
  std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t) { return true; });
  const std::int64_t one_in =
      config.or_default("sliding_window_pattern", config.or_default("_sliding_window_pattern", 6, kLayers), kLayers);
  if (!config.has("layer_types")) {
    for (std::int64_t i = one_in - 1; i < layers; i += one_in) {
      sliding[static_cast<std::size_t>(i)] = false;
    }
  }
  return sliding;
}

Arch read_text(ConfigReader& config, bool tied) {
  Arch arch;
  arch.hidden_size = config.or_class_default("hidden_size", 2304);
  arch.vocab_size = config.or_class_default("vocab_size", 262208);
  arch.max_position_embeddings = config.or_default("max_position_embeddings", 131072);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", tied);
  HeadCounts counts{.heads = config.or_class_default("num_attention_heads", 8)};
  counts.kv_heads = config.or_class_default("num_key_value_heads", 4);
  counts.head_dim = config.or_class_default("head_dim", 256);
  Attention attention = make_attention(config, counts, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.qk_norm = Attention::QkNorm::per_head;
  attention.soft_cap = config.has("attn_logit_softcapping");
  arch.logit_soft_cap = config.has("final_logit_softcapping");
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  const DenseFfn ffn{.intermediate_size = config.or_class_default("intermediate_size", 9216),
                     .activation = read_activation(config, "hidden_activation", "gelu_pytorch_tanh")};
  const std::int64_t layers = config.or_class_default("num_hidden_layers", 26, kLayers);
  append_windowed_layers(arch,
                         with_offset_norm(sandwich_norm_layer(attention, ffn)),
                         read_pattern(config, layers),
                         config.or_class_default("sliding_window", 4096));
  config.ignore({"attn_logit_softcapping", "final_logit_softcapping", "hidden_act", "use_bidirectional_attention"});
  return arch;
}

}  // namespace

Result<Arch> read_gemma3(ConfigReader& config) {
  if (!config.has("text_config")) {
    return config.finish(read_text(config, true));
  }
  ConfigReader text = config.section("text_config");
  Arch arch = read_text(text, config.flag("tie_word_embeddings", true));
  arch.names = kTextUnderLanguageModel;
  arch.vision = read_tower(config, arch.hidden_size, read_siglip);
  return config.finish(arch);
}

}  // namespace mekiki
