// GPT-NeoX and Pythia, OpenCALM, StableLM-alpha: LayerNorm and biases everywhere, one fused projection, and both blocks
// reading the residual stream at once, each through its own norm.
// Source: transformers GPTNeoXConfig; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_gpt_neox(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.final_norm = NormKind::layer_norm;
  arch.names = {.embedding = "gpt_neox.embed_in",
                .layers = "gpt_neox.layers",
                .final_norm = "gpt_neox.final_layer_norm",
                .head = "embed_out"};
  const std::int64_t heads = config.required("num_attention_heads");
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.joins_rotary = true;
  attention.qkv_bias = config.flag("attention_bias", true);
  attention.output_bias = attention.qkv_bias;
  attention.fused_qkv = true;
  attention.names = {.module = "attention", .fused = "query_key_value", .output = "dense"};
  const DenseFfn ffn{.intermediate_size = config.required("intermediate_size"),
                     .gated = false,
                     .bias = true,
                     .activation = read_activation(config, "hidden_act", "gelu"),
                     .names = {.up = "dense_h_to_4h", .down = "dense_4h_to_h"}};
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  Layer layer = pre_norm_layer(attention, ffn, NormKind::layer_norm);
  layer.parallel_residual = config.flag("use_parallel_residual", true);
  append_all_layers(config, arch, layer);
  return config.finish(arch);
}

}  // namespace mekiki
