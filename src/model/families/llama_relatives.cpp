// Dense decoders that differ from Llama in one or two points: the norms, the network, norms on queries and keys,
// biases. Source: the transformers config class of each; totals of published checkpoints
// (tests/data/models/params.csv).
#include <array>

#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

/// attention_bias for q, k, v and o; mlp_bias for the network.
struct Blocks {
  Arch arch;
  Attention attention;
  DenseFfn ffn;
  std::array<Name, 2> norm_names = {"input_layernorm", "post_attention_layernorm"};
};

Blocks read_blocks(ConfigReader& config,
                   bool tied_by_class,
                   std::string_view activation_by_class = "silu",
                   const HeadsByClass& heads_by_class = {}) {
  Blocks blocks{read_frame(config, tied_by_class), {}, {}};
  blocks.attention = read_attention(config, blocks.arch.hidden_size, heads_by_class);
  blocks.attention.qkv_bias = config.flag("attention_bias", false);
  blocks.attention.output_bias = blocks.attention.qkv_bias;
  blocks.ffn = read_gated_ffn(config, activation_by_class);
  blocks.ffn.bias = config.flag("mlp_bias", false);
  blocks.arch.dropout.attention = config.rate("attention_dropout", 0.0);
  return blocks;
}

Result<Arch> finish(ConfigReader& config, Blocks blocks, NormKind norm = NormKind::rms) {
  blocks.arch.final_norm = norm;
  const Layer layer = pre_norm_layer(blocks.attention, blocks.ffn, norm);
  append_all_layers(config, blocks.arch, with_norm_names(layer, blocks.norm_names[0], blocks.norm_names[1]));
  return config.finish(blocks.arch);
}

/// For classes whose network has no biases, whatever the key says.
void refuse_bias(ConfigReader& config, const DenseFfn& ffn) {
  if (ffn.bias) {
    config.refuse_unsupported("mlp_bias", "networks of this type have no biases");
  }
}

}  // namespace

/// Nemotron-4 and Minitron: LayerNorm (its weight is stored less one), squared ReLU without gate.
Result<Arch> read_nemotron(ConfigReader& config) {
  Blocks blocks = read_blocks(config, false, "relu2");
  blocks.ffn.gated = false;
  blocks.attention.joins_rotary = true;
  blocks.arch.dropout.hidden = config.rate("hidden_dropout", 0.0);
  return finish(config, blocks, NormKind::layer_norm);
}

Result<Arch> read_arcee(ConfigReader& config) {
  Blocks blocks = read_blocks(config, false, "relu2");
  blocks.ffn.gated = false;
  return finish(config, blocks);
}

/// xIELU without gate (two learned scalars per layer), norms on queries and keys.
Result<Arch> read_apertus(ConfigReader& config) {
  Blocks blocks = read_blocks(config, false, "xielu");
  blocks.ffn.gated = false;
  refuse_bias(config, blocks.ffn);
  blocks.attention.qk_norm = Attention::QkNorm::per_head;
  blocks.norm_names = {"attention_layernorm", "feedforward_layernorm"};
  if (!config.flag("qk_norm", true) || config.flag("post_norm", false)) {
    config.refuse_unsupported("qk_norm",
                              "layers without norms on queries and keys, or with norms after, are not known");
  }
  return finish(config, blocks);
}

/// The output projection has its own switch for a bias.
Result<Arch> read_seed_oss(ConfigReader& config) {
  Blocks blocks = read_blocks(config, false, "silu", {.kv_heads = 8, .head_dim = 128});
  blocks.attention.qkv_bias = config.flag("attention_bias", true);
  blocks.attention.output_bias = config.flag("attention_out_bias", false);
  blocks.arch.dropout.hidden = config.rate("residual_dropout", 0.0);
  return finish(config, blocks);
}

Result<Arch> read_hunyuan_dense(ConfigReader& config) {
  Blocks blocks = read_blocks(config, false);
  refuse_bias(config, blocks.ffn);
  blocks.attention.qk_norm = Attention::QkNorm::per_head;
  blocks.attention.names.query_norm = "query_layernorm";
  blocks.attention.names.key_norm = "key_layernorm";
  if (!config.flag("use_qk_norm", true)) {
    config.refuse_unsupported("use_qk_norm", "layers without norms on queries and keys are not known for this type");
  }
  if (config.flag("use_cla", false)) {
    config.refuse_unsupported("use_cla", "layers that share keys and values are not modelled");
  }
  return finish(config, blocks);
}

/// Some layers rotate nothing, which changes no count.
Result<Arch> read_smollm3(ConfigReader& config) {
  Blocks blocks = read_blocks(config, true, "silu", {.kv_heads = 4});
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t) { return false; });
  config.ignore({"max_window_layers", "no_rope_layer_interval", "no_rope_layers", "use_sliding_window"});
  append_windowed_layers(
      blocks.arch, pre_norm_layer(blocks.attention, blocks.ffn), sliding, config.optional("sliding_window"));
  return config.finish(blocks.arch);
}

/// Scaled residuals and logits, which have no weights. One early model is a mixture of experts of the same type.
Result<Arch> read_minicpm(ConfigReader& config) {
  Blocks blocks = read_blocks(config, true);
  config.ignore({"dim_model_base", "mup_denominator", "scale_depth", "scale_emb"});
  const std::int64_t experts = config.or_default("num_experts", 0, kWidthOrNone);
  if (experts == 0) {
    return finish(config, blocks);
  }
  const MoeFfn moe{.experts = experts,
                   .experts_per_token = read_experts_per_token(config, "num_experts_per_tok", experts),
                   .intermediate_size = blocks.ffn.intermediate_size,
                   .activation = blocks.ffn.activation,
                   .names = {.gate = "w1", .up = "w3", .down = "w2"}};
  append_all_layers(config, blocks.arch, pre_norm_layer(blocks.attention, moe));
  return config.finish(blocks.arch);
}

}  // namespace mekiki
