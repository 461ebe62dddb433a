// Falcon: both blocks read the residual stream at once, through one norm (7B) or one each (40B); no biases, tied head,
// one fused projection with one or few key-value heads. The first 40B configs say n_head_kv instead of naming the new
// architecture.
// Source: transformers FalconConfig; totals of falcon-7b and falcon-40b (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

struct Flags {
  bool new_architecture;
  bool multi_query;
  bool parallel;
  bool bias;
};

std::int64_t read_kv_heads(ConfigReader& config, const Flags& flags, std::int64_t heads) {
  if (flags.new_architecture) {
    return config.any_of({"num_kv_heads", "n_head_kv"});
  }
  config.ignore({"num_kv_heads", "n_head_kv"});
  return flags.multi_query ? 1 : heads;
}

Layer make_layer(ConfigReader& config, const Flags& flags, const Attention& attention, const DenseFfn& ffn) {
  Layer layer = pre_norm_layer(attention, ffn, NormKind::layer_norm);
  layer.parallel_residual = flags.new_architecture || flags.parallel;
  const std::int64_t norms = config.or_default("num_ln_in_parallel_attn", flags.new_architecture ? 2 : 1, {1, 2});
  if (layer.parallel_residual && norms == 1) {
    layer.sub_layers[1].norms_before = 0;
  }
  if (flags.new_architecture && norms == 2) {
    layer = with_norm_names(layer, "ln_attn", "ln_mlp");
  }
  return layer;
}

}  // namespace

Result<Arch> read_falcon(ConfigReader& config) {
  Arch arch;
  arch.names = {
      .embedding = "transformer.word_embeddings", .layers = "transformer.h", .final_norm = "transformer.ln_f"};
  arch.hidden_size = config.required("hidden_size");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("max_position_embeddings", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", true);
  arch.final_norm = NormKind::layer_norm;
  const Flags flags{config.flag("new_decoder_architecture", config.has("n_head_kv")),
                    config.flag("multi_query", true),
                    config.flag("parallel_attn", true),
                    config.flag("bias", false)};
  const std::int64_t heads = config.any_of({"num_attention_heads", "n_head"});
  const std::int64_t kv_heads = read_kv_heads(config, flags, heads);
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = kv_heads}, arch.hidden_size);
  attention.qkv_bias = flags.bias;
  attention.output_bias = flags.bias;
  attention.fused_qkv = true;
  attention.rotary = !config.flag("alibi", false);
  attention.names = {.module = "self_attention", .fused = "query_key_value", .output = "dense"};
  const DenseFfn ffn{.intermediate_size = config.or_default("ffn_hidden_size", 4 * arch.hidden_size),
                     .gated = false,
                     .bias = flags.bias,
                     .activation = read_activation(config, "activation", "gelu"),
                     .names = {.up = "dense_h_to_4h", .down = "dense_4h_to_h"}};
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  config.ignore({"apply_residual_connection_post_layernorm", "n_head", "n_layer"});
  append_layers(arch.layer_groups,
                config.any_of({"num_hidden_layers", "n_layer"}, kLayers),
                make_layer(config, flags, attention, ffn));
  return config.finish(arch);
}

}  // namespace mekiki
