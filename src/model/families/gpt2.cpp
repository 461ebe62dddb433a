// GPT-2 and its multi-query descendant GPT-BigCode (StarCoder): learned positions, LayerNorm and biases everywhere, one
// fused projection, tied head.
// Source: transformers GPT2Config, GPTBigCodeConfig; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Arch read_gpt(ConfigReader& config, bool multi_query, bool in_by_out) {
  Arch arch;
  arch.names = {.embedding = "transformer.wte",
                .positions = "transformer.wpe",
                .layers = "transformer.h",
                .final_norm = "transformer.ln_f",
                .in_by_out = in_by_out};
  arch.hidden_size = read_spellings(config, {"n_embd", "hidden_size"});
  arch.vocab_size = config.required("vocab_size");
  arch.learned_positions = config.or_class_default("n_positions", 1024);
  arch.max_position_embeddings = arch.learned_positions;
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", true);
  arch.final_norm = NormKind::layer_norm;
  const std::int64_t heads = read_spellings(config, {"n_head", "num_attention_heads"});
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = multi_query ? 1 : heads}, arch.hidden_size);
  attention.qkv_bias = true;
  attention.output_bias = true;
  attention.fused_qkv = true;
  attention.rotary = false;
  attention.names = {.module = "attn", .fused = "c_attn", .output = "c_proj"};
  const DenseFfn ffn{.intermediate_size = config.or_default("n_inner", 4 * arch.hidden_size),
                     .gated = false,
                     .bias = true,
                     .activation = read_activation(config, "activation_function", "gelu_new"),
                     .names = {.up = "c_fc", .down = "c_proj"}};
  if (config.flag("add_cross_attention", false)) {
    config.refuse_unsupported("add_cross_attention", "attention to an encoder is not modelled for this type");
  }
  arch.dropout = {config.rate("attn_pdrop", 0.1), config.rate("resid_pdrop", 0.1)};
  config.ignore({"embd_pdrop",
                 "inference_runner",
                 "max_batch_size",
                 "max_sequence_length",
                 "n_special",
                 "pad_key_length",
                 "pre_allocate_kv_cache",
                 "predict_special_tokens",
                 "reorder_and_upcast_attn",
                 "runner_max_sequence_length",
                 "scale_attn_by_inverse_layer_idx",
                 "validate_runner_input"});
  append_layers(arch.layer_groups,
                read_spellings(config, {"n_layer", "num_hidden_layers"}, kLayers),
                with_norm_names(pre_norm_layer(attention, ffn, NormKind::layer_norm), "ln_1", "ln_2"));
  return arch;
}

}  // namespace

Result<Arch> read_gpt2(ConfigReader& config) {
  return config.finish(read_gpt(config, false, true));
}

Result<Arch> read_gpt_bigcode(ConfigReader& config) {
  return config.finish(read_gpt(config, config.flag("multi_query", true), false));
}

}  // namespace mekiki
