// GLM-4 as transformers has it (types glm and glm4; glm4 adds norms after the blocks) and in its original code
// (chatglm, three generations told apart by their keys).
// Source: transformers GlmConfig, Glm4Config, ChatGLMConfig of the repositories; totals of published checkpoints
// (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

/// The first ChatGLM: LayerNorm, biases everywhere, a plain GELU network, tied head.
Arch read_first_generation(ConfigReader& config) {
  Arch arch;
  arch.hidden_size = config.required("hidden_size");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("max_sequence_length", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", true);
  arch.final_norm = NormKind::layer_norm;
  const std::int64_t heads = config.required("num_attention_heads");
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.qkv_bias = true;
  attention.output_bias = true;
  attention.fused_qkv = true;
  attention.names = {.fused = "query_key_value", .output = "dense"};
  const DenseFfn ffn{.intermediate_size = config.required("inner_hidden_size"),
                     .gated = false,
                     .bias = true,
                     .activation = Activation::gelu,
                     .names = {.up = "dense_h_to_4h", .down = "dense_4h_to_h"}};
  config.ignore({"position_encoding_2d"});
  append_layers(
      arch.layer_groups, config.required("num_layers", kLayers), pre_norm_layer(attention, ffn, NormKind::layer_norm));
  return arch;
}

Attention read_chatglm_attention(ConfigReader& config, std::int64_t hidden_size, bool bias) {
  const std::int64_t heads = config.required("num_attention_heads");
  HeadCounts counts{.heads = heads, .kv_heads = heads, .head_dim = config.optional("kv_channels")};
  if (config.flag("multi_query_attention", false)) {
    counts.kv_heads = config.required("multi_query_group_num");
  }
  Attention attention = make_attention(config, counts, hidden_size);
  attention.qkv_bias = config.flag("add_qkv_bias", false) || bias;
  attention.output_bias = bias;
  attention.fused_qkv = true;
  attention.names = {.fused = "query_key_value", .output = "dense"};
  return attention;
}

Arch read_later_generations(ConfigReader& config) {
  Arch arch;
  arch.hidden_size = config.required("hidden_size");
  arch.vocab_size = config.any_of({"padded_vocab_size", "vocab_size"});
  arch.max_position_embeddings = config.or_default("seq_length", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", false);
  const bool bias = config.flag("add_bias_linear", false);
  const NormKind norm = config.flag("rmsnorm", true) ? NormKind::rms : NormKind::layer_norm;
  const Attention attention = read_chatglm_attention(config, arch.hidden_size, bias);
  const DenseFfn ffn{.intermediate_size = config.required("ffn_hidden_size"),
                     .bias = bias,
                     .fused_gate_up = true,
                     .names = {.down = "dense_4h_to_h", .fused = "dense_h_to_4h"}};
  arch.final_norm = config.flag("post_layer_norm", true) ? norm : NormKind::none;
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  config.ignore({"apply_query_key_layer_scaling",
                 "apply_residual_connection_post_layernorm",
                 "fp32_residual_connection",
                 "num_hidden_layers",
                 "original_rope",
                 "vocab_size"});
  append_layers(arch.layer_groups, config.required("num_layers", kLayers), pre_norm_layer(attention, ffn, norm));
  return arch;
}

Layer four_norm_layer(const Block& attention, const Block& ffn, NormKind norm) {
  return {.sub_layers = {{attention, 1, 1, "input_layernorm", "post_self_attn_layernorm"},
                         {ffn, 1, 1, "post_attention_layernorm", "post_mlp_layernorm"}},
          .norm = norm};
}

using MakeLayer = Layer (*)(const Block&, const Block&, NormKind);

Result<Arch> read_glm_blocks(ConfigReader& config, MakeLayer make_layer) {
  Arch arch = read_frame(config, false);
  config.required("num_key_value_heads");
  // The text part of the multimodal types has no default of its own.
  const bool multimodal = config.text("model_type", "").starts_with("glm4v");
  Attention attention =
      read_attention(config, arch.hidden_size, multimodal ? HeadsByClass{} : HeadsByClass{.head_dim = 128});
  attention.joins_rotary = true;
  attention.qkv_bias = config.flag("attention_bias", true);
  DenseFfn ffn = read_gated_ffn(config);
  ffn.fused_gate_up = true;
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_all_layers(config, arch, make_layer(attention, ffn, NormKind::rms));
  return config.finish(arch);
}

}  // namespace

Result<Arch> read_chatglm(ConfigReader& config) {
  return config.finish(config.has("inner_hidden_size") ? read_first_generation(config)
                                                       : read_later_generations(config));
}

Result<Arch> read_glm(ConfigReader& config) {
  return read_glm_blocks(config, pre_norm_layer);
}

Result<Arch> read_glm4(ConfigReader& config) {
  return read_glm_blocks(config, four_norm_layer);
}

}  // namespace mekiki
