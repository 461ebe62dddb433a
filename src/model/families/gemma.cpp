// Gemma 1 and 2: tied embeddings, head width apart from hidden_size / heads; Gemma 2 has norms before and after each
// block, windows on every other layer, and soft caps on scores and logits.
// Source: transformers GemmaConfig, Gemma2Config; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Attention read_wide_attention(ConfigReader& config, std::int64_t hidden_size) {
  HeadCounts counts{.heads = config.required("num_attention_heads")};
  counts.kv_heads = config.required("num_key_value_heads");
  counts.head_dim = config.or_class_default("head_dim", 256);
  Attention attention = make_attention(config, counts, hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  return attention;
}

DenseFfn read_gelu_ffn(ConfigReader& config) {
  DenseFfn ffn{.intermediate_size = config.required("intermediate_size"), .activation = Activation::gelu};
  config.ignore({"hidden_act", "hidden_activation"});
  return ffn;
}

/// The class caps where the key is absent; null switches the cap off.
bool read_soft_cap(ConfigReader& config, std::string_view key) {
  config.ignore({key});
  return !config.present(key) || config.has(key);
}

}  // namespace

Result<Arch> read_gemma(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  const Attention attention = read_wide_attention(config, arch.hidden_size);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_all_layers(config, arch, with_offset_norm(pre_norm_layer(attention, read_gelu_ffn(config))));
  return config.finish(arch);
}

Result<Arch> read_gemma2(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  Attention attention = read_wide_attention(config, arch.hidden_size);
  attention.soft_cap = read_soft_cap(config, "attn_logit_softcapping");
  arch.logit_soft_cap = read_soft_cap(config, "final_logit_softcapping");
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t i) { return i % 2 == 0; });
  append_windowed_layers(arch,
                         with_offset_norm(sandwich_norm_layer(attention, read_gelu_ffn(config))),
                         sliding,
                         config.or_class_default("sliding_window", 4096));
  config.ignore({"sliding_window_size"});
  return config.finish(arch);
}

}  // namespace mekiki
