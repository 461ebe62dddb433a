// Command-R and Aya: one bias-free LayerNorm for both blocks, which read the residual stream at once; tied head.
// Command R+ adds norms on queries and keys; the later type (cohere2) has windows on three of four layers. Source:
// transformers CohereConfig, Cohere2Config; totals of aya-expanse-32b and command-r7b (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

struct Blocks {
  Arch arch;
  Layer layer;
};

Blocks read_blocks(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  arch.final_norm = NormKind::layer_norm_no_bias;
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  if (config.flag("use_qk_norm", false)) {
    attention.qk_norm = Attention::QkNorm::full;
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  Layer layer = pre_norm_layer(attention, read_gated_ffn(config), NormKind::layer_norm_no_bias);
  layer.wide_norm = true;
  layer.parallel_residual = true;
  layer.sub_layers[1].norms_before = 0;
  return {arch, layer};
}

}  // namespace

Result<Arch> read_cohere(ConfigReader& config) {
  Blocks blocks = read_blocks(config);
  append_all_layers(config, blocks.arch, blocks.layer);
  return config.finish(blocks.arch);
}

Result<Arch> read_cohere2(ConfigReader& config) {
  Blocks blocks = read_blocks(config);
  if (config.flag("use_qk_norm", false)) {
    config.refuse_unsupported("use_qk_norm", "norms on queries and keys are not known for this type");
  }
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t i) { return i % 4 != 3; });
  if (config.or_default("layer_switch", config.or_default("sliding_window_pattern", 4)) != 4) {
    config.refuse_unsupported("layer_switch", "another rhythm of windows than one in four is not known");
  }
  config.ignore({"order_of_interleaved_layers", "rotary_pct"});
  append_windowed_layers(blocks.arch, blocks.layer, sliding, config.or_class_default("sliding_window", 4096));
  return config.finish(blocks.arch);
}

}  // namespace mekiki
