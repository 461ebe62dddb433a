// GPT-J and its descendant CodeGen: one LayerNorm for both blocks, which read the residual stream at once; biases in
// the network and the head only. Source: transformers GPTJConfig, CodeGenConfig (counts are computed: no published
// total at hand).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Arch read_gptj_frame(ConfigReader& config, std::int64_t hidden_size) {
  Arch arch;
  arch.names = {.embedding = "transformer.wte", .layers = "transformer.h", .final_norm = "transformer.ln_f"};
  arch.hidden_size = hidden_size;
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("n_positions", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", false);
  arch.head_bias = true;
  arch.final_norm = NormKind::layer_norm;
  return arch;
}

/// Sets the drop rates of the model too.
Layer read_gptj_layer(ConfigReader& config, Arch& arch, std::int64_t heads, bool fused_qkv) {
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.fused_qkv = fused_qkv;
  attention.names.module = "attn";
  attention.names.output = "out_proj";
  const DenseFfn ffn{.intermediate_size = config.or_default("n_inner", 4 * arch.hidden_size),
                     .gated = false,
                     .bias = true,
                     .activation = read_activation(config, "activation_function", "gelu_new"),
                     .names = {.up = "fc_in", .down = "fc_out"}};
  arch.dropout = {config.rate("attn_pdrop", 0.0), config.rate("resid_pdrop", 0.0)};
  config.ignore({"embd_pdrop"});
  Layer layer = with_norm_names(pre_norm_layer(attention, ffn, NormKind::layer_norm), "ln_1", "");
  layer.parallel_residual = true;
  layer.sub_layers[1].norms_before = 0;
  return layer;
}

}  // namespace

Result<Arch> read_gptj(ConfigReader& config) {
  Arch arch = read_gptj_frame(config, read_spellings(config, {"n_embd", "hidden_size"}));
  const std::int64_t heads = read_spellings(config, {"n_head", "num_attention_heads"});
  const Layer layer = read_gptj_layer(config, arch, heads, false);
  config.ignore({"rotary"});
  append_layers(arch.layer_groups, read_spellings(config, {"n_layer", "num_hidden_layers"}, kLayers), layer);
  return config.finish(arch);
}

/// One product for queries, keys and values.
Result<Arch> read_codegen(ConfigReader& config) {
  Arch arch = read_gptj_frame(config, config.required("n_embd"));
  const Layer layer = read_gptj_layer(config, arch, config.required("n_head"), true);
  append_layers(arch.layer_groups, config.required("n_layer", kLayers), layer);
  return config.finish(arch);
}

}  // namespace mekiki
