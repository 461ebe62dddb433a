// StableLM: Llama blocks behind LayerNorm, with biases on q, k and v where use_qkv_bias is set.
// Source: transformers StableLmConfig; total of stablelm-2-1_6b (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_stablelm(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.final_norm = NormKind::layer_norm;
  refuse_other_head_dim(config);
  Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 32});
  attention.joins_rotary = true;
  attention.qkv_bias = config.flag("use_qkv_bias", false);
  if (config.flag("qk_layernorm", false)) {
    config.refuse_unsupported("qk_layernorm", "norms of each head of its own are not modelled");
  }
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  Layer layer = pre_norm_layer(attention, read_gated_ffn(config), NormKind::layer_norm);
  layer.parallel_residual = config.flag("use_parallel_residual", false);
  if (layer.parallel_residual) {
    layer.sub_layers[1].norms_before = 0;
  }
  append_all_layers(config, arch, layer);
  return config.finish(arch);
}

}  // namespace mekiki
