// Llama and the many models that publish under its type: Yi, SmolLM, TinyLlama, CodeLlama, LLM-jp 3, ...
// Source: transformers LlamaConfig; totals of 20 published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_llama(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  DenseFfn ffn = read_gated_ffn(config);
  ffn.bias = config.flag("mlp_bias", false);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_all_layers(config, arch, pre_norm_layer(attention, ffn));
  return config.finish(arch);
}

}  // namespace mekiki
