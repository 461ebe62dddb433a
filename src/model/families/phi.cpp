// Phi-1, Phi-1.5 and Phi-2: one LayerNorm for both blocks, which read the residual stream at once; biases everywhere,
// the head included. Two spellings: transformers (phi) and the original code (phi-msft, one fused projection).
// Source: transformers PhiConfig; totals of phi-1_5 and phi-2 (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

struct Widths {
  std::int64_t layers;
  std::int64_t intermediate_size;
  Activation activation;
};

Result<Arch> finish(ConfigReader& config, Arch arch, Attention attention, const Widths& widths) {
  arch.final_norm = NormKind::layer_norm;
  arch.head_bias = true;
  arch.names.final_norm = "model.final_layernorm";
  attention.qkv_bias = true;
  attention.output_bias = true;
  const DenseFfn ffn{.intermediate_size = widths.intermediate_size,
                     .gated = false,
                     .bias = true,
                     .activation = widths.activation,
                     .names = {.up = "fc1", .down = "fc2"}};
  Layer layer = pre_norm_layer(attention, ffn, NormKind::layer_norm);
  layer.parallel_residual = true;
  layer.sub_layers[1].norms_before = 0;
  append_layers(arch.layer_groups, widths.layers, layer);
  return config.finish(arch);
}

}  // namespace

Result<Arch> read_phi(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.joins_rotary = true;
  attention.names.output = "dense";
  if (config.flag("qk_layernorm", false)) {
    config.refuse_unsupported("qk_layernorm", "norms on queries and keys are not modelled for this type");
  }
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("resid_pdrop", 0.0)};
  config.ignore({"embd_pdrop"});
  const Widths widths{config.required("num_hidden_layers", kLayers),
                      config.required("intermediate_size"),
                      read_activation(config, "hidden_act", "gelu_new")};
  return finish(config, arch, attention, widths);
}

Result<Arch> read_phi_msft(ConfigReader& config) {
  Arch arch;
  arch.hidden_size = config.required("n_embd");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("n_positions", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", false);
  const std::int64_t heads = config.required("n_head");
  const std::int64_t kv_heads = config.or_default("n_head_kv", heads);
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = kv_heads}, arch.hidden_size);
  attention.fused_qkv = true;
  attention.names = {.fused = "Wqkv", .output = "out_proj"};
  arch.dropout = {config.rate("attn_pdrop", 0.0), config.rate("resid_pdrop", 0.0)};
  config.ignore({"embd_pdrop", "flash_attn", "flash_rotary", "fused_dense", "img_processor"});
  const Widths widths{config.required("n_layer", kLayers),
                      config.or_default("n_inner", 4 * arch.hidden_size),
                      read_activation(config, "activation_function", "gelu_new")};
  return finish(config, arch, attention, widths);
}

}  // namespace mekiki
