// OPT: learned positions with two rows more than the longest sequence, LayerNorm and biases everywhere, ReLU, tied
// head. The embedding of the 350m model is narrower than its layers. Source: transformers OPTConfig
// (counts are computed: no published total at hand).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

constexpr std::int64_t kPositionOffset = 2;

}  // namespace

Result<Arch> read_opt(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  arch.names = {.embedding = "model.decoder.embed_tokens",
                .positions = "model.decoder.embed_positions",
                .layers = "model.decoder.layers",
                .final_norm = "model.decoder.final_layer_norm"};
  arch.learned_positions = config.required("max_position_embeddings") + kPositionOffset;
  const std::int64_t embedding = config.or_default("word_embed_proj_dim", arch.hidden_size);
  arch.embedding_size = embedding == arch.hidden_size ? 0 : embedding;
  const bool bias = config.flag("enable_bias", true);
  const std::int64_t heads = config.required("num_attention_heads");
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.qkv_bias = bias;
  attention.output_bias = bias;
  attention.rotary = false;
  attention.names.output = "out_proj";
  const DenseFfn ffn{.intermediate_size = config.required("ffn_dim"),
                     .gated = false,
                     .bias = bias,
                     .activation = read_activation(config, "activation_function", "relu"),
                     .names = {.module = "", .up = "fc1", .down = "fc2"}};
  const NormKind norm =
      config.flag("layer_norm_elementwise_affine", true) ? NormKind::layer_norm : NormKind::layer_norm_no_weight;
  Layer layer = with_norm_names(pre_norm_layer(attention, ffn, norm), "self_attn_layer_norm", "final_layer_norm");
  arch.final_norm = norm;
  if (!config.flag("do_layer_norm_before", true)) {
    layer.sub_layers = {{attention, 0, 1, "", "self_attn_layer_norm"}, {ffn, 0, 1, "", "final_layer_norm"}};
    arch.final_norm = NormKind::none;
  }
  if (config.flag("_remove_final_layer_norm", false)) {
    arch.final_norm = NormKind::none;
  }
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("dropout", 0.1)};
  config.ignore({"activation_dropout", "layerdrop", "init_std", "prefix"});
  append_all_layers(config, arch, layer);
  return config.finish(arch);
}

}  // namespace mekiki
