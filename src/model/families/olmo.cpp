// OLMo 1, Orion and GPT-J: decoders that differ from their relatives in the norms.
// Source: transformers OlmoConfig, GPTJConfig, the configuration code of Orion; total of OLMo-1B
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

/// One LayerNorm for both blocks, biases in the network and the head only.
Result<Arch> read_gptj(ConfigReader& config) {
  Arch arch;
  arch.names = {.embedding = "transformer.wte", .layers = "transformer.h", .final_norm = "transformer.ln_f"};
  arch.hidden_size = read_spellings(config, {"n_embd", "hidden_size"});
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("n_positions", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", false);
  arch.head_bias = true;
  arch.final_norm = NormKind::layer_norm;
  const std::int64_t heads = read_spellings(config, {"n_head", "num_attention_heads"});
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.names.module = "attn";
  attention.names.output = "out_proj";
  const DenseFfn ffn{.intermediate_size = config.or_default("n_inner", 4 * arch.hidden_size),
                     .gated = false,
                     .bias = true,
                     .activation = read_activation(config, "activation_function", "gelu_new"),
                     .names = {.up = "fc_in", .down = "fc_out"}};
  arch.dropout = {config.rate("attn_pdrop", 0.0), config.rate("resid_pdrop", 0.0)};
  config.ignore({"embd_pdrop", "rotary"});
  Layer layer = with_norm_names(pre_norm_layer(attention, ffn, NormKind::layer_norm), "ln_1", "");
  layer.parallel_residual = true;
  layer.sub_layers[1].norms_before = 0;
  append_layers(arch.layer_groups, read_spellings(config, {"n_layer", "num_hidden_layers"}, kLayers), layer);
  return config.finish(arch);
}

}  // namespace mekiki
