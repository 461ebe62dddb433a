// GPT as Megatron-LM trains it, a type of our own for models known by their dimensions only: LayerNorm and biases,
// learned positions or ALiBi, a plain GELU network. vocab_size is that before padding. Absent dropout rates are the 0.1
// of Megatron's arguments.
// Source: Megatron-LM GPTModel and its argument defaults (from memory, unverified).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

void read_positions(ConfigReader& config, Arch& arch, Attention& attention) {
  const std::string_view positions = config.text("position_embedding_type", "learned_absolute");
  attention.rotary = positions == "rope";
  if (positions == "learned_absolute") {
    arch.learned_positions = config.required("max_position_embeddings");
  } else if (positions != "alibi" && positions != "rope" && positions != "none") {
    config.refuse_unsupported("position_embedding_type", "\"" + std::string(positions) + "\" is not known");
  }
}

NormKind read_norm(ConfigReader& config) {
  const std::string_view norm = config.text("normalization", "LayerNorm");
  if (norm != "LayerNorm" && norm != "RMSNorm") {
    config.refuse_unsupported("normalization", "\"" + std::string(norm) + "\" is not known");
  }
  return norm == "RMSNorm" ? NormKind::rms : NormKind::layer_norm;
}

}  // namespace

Result<Arch> read_megatron_gpt(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  const bool bias = config.flag("add_bias_linear", true);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("add_qkv_bias", bias) || bias;
  attention.output_bias = bias;
  attention.fused_qkv = true;
  attention.names = {.fused = "linear_qkv", .output = "linear_proj"};
  read_positions(config, arch, attention);
  const DenseFfn ffn{.intermediate_size = config.required("ffn_hidden_size"),
                     .gated = config.flag("swiglu", false),
                     .bias = bias,
                     .activation = read_activation(config, "activation", "gelu"),
                     .fused_gate_up = true,
                     .names = {.up = "linear_fc1", .down = "linear_fc2", .fused = "linear_fc1"}};
  const NormKind norm = read_norm(config);
  arch.final_norm = norm;
  arch.embedding_norm = config.flag("embedding_layernorm", false);
  arch.dropout = {config.rate("attention_dropout", 0.1), config.rate("hidden_dropout", 0.1)};
  append_all_layers(config, arch, pre_norm_layer(attention, ffn, norm));
  return config.finish(arch);
}

}  // namespace mekiki
