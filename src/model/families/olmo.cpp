// OLMo 1 and Orion: decoders that differ from their relatives in the norms.
// Source: transformers OlmoConfig, the configuration code of Orion; total of OLMo-1B
// (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

/// LayerNorm without any weight.
Result<Arch> read_olmo(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.final_norm = NormKind::layer_norm_no_weight;
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"clip_qkv"});
  append_all_layers(config, arch, pre_norm_layer(attention, read_gated_ffn(config), NormKind::layer_norm_no_weight));
  return config.finish(arch);
}

/// Llama blocks behind LayerNorm.
Result<Arch> read_orion(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.final_norm = NormKind::layer_norm;
  const Attention attention = read_attention(config, arch.hidden_size);
  config.ignore({"max_sequence_length"});
  append_all_layers(config, arch, pre_norm_layer(attention, read_gated_ffn(config), NormKind::layer_norm));
  return config.finish(arch);
}

}  // namespace mekiki
