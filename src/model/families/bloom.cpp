// BLOOM: LayerNorm after the embedding and before each block, biases everywhere, one fused projection, ALiBi.
// Source: transformers BloomConfig; totals of bloom and bloom-560m (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_bloom(ConfigReader& config) {
  Arch arch;
  arch.names = {.embedding = "transformer.word_embeddings",
                .embedding_norm = "transformer.word_embeddings_layernorm",
                .layers = "transformer.h",
                .final_norm = "transformer.ln_f"};
  arch.hidden_size = config.any_of({"hidden_size", "n_embed"});
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("seq_length", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", true);
  arch.final_norm = NormKind::layer_norm;
  arch.embedding_norm = true;
  const std::int64_t heads = config.any_of({"num_attention_heads", "n_head"});
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.qkv_bias = true;
  attention.output_bias = true;
  attention.fused_qkv = true;
  attention.rotary = false;
  attention.names = {.module = "self_attention", .fused = "query_key_value", .output = "dense"};
  const DenseFfn ffn{.intermediate_size = 4 * arch.hidden_size,
                     .gated = false,
                     .bias = true,
                     .activation = Activation::gelu,
                     .names = {.up = "dense_h_to_4h", .down = "dense_4h_to_h"}};
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  const std::int64_t layers = config.any_of({"num_hidden_layers", "n_layer"}, kLayers);
  append_layers(arch.layer_groups, layers, pre_norm_layer(attention, ffn, NormKind::layer_norm));
  // The class always takes 4 x hidden_size, whatever n_inner says.
  config.ignore({"apply_residual_connection_post_layernorm",
                 "attention_softmax_in_fp32",
                 "masked_softmax_fusion",
                 "n_inner",
                 "offset_alibi",
                 "skip_bias_add",
                 "skip_bias_add_qkv",
                 "slow_but_exact",
                 "unk_token_id"});
  return config.finish(arch);
}

}  // namespace mekiki
