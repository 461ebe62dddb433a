// OLMo 2 and 3: norms after the blocks instead of before, norms on queries and keys over the full width; OLMo 3 has
// windows on three of four layers.
// Source: transformers Olmo2Config, Olmo3Config; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

namespace {

struct Olmo {
  Arch arch;
  Layer layer;
};

Olmo read_blocks(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.qk_norm = Attention::QkNorm::full;
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  return {arch,
          {.sub_layers = {{attention, 0, 1, "", "post_attention_layernorm"},
                          {read_gated_ffn(config), 0, 1, "", "post_feedforward_layernorm"}},
           .wide_norm = true}};
}

}  // namespace

Result<Arch> read_olmo2(ConfigReader& config) {
  Olmo olmo = read_blocks(config);
  append_all_layers(config, olmo.arch, olmo.layer);
  return config.finish(olmo.arch);
}

Result<Arch> read_olmo3(ConfigReader& config) {
  Olmo olmo = read_blocks(config);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t i) { return i % 4 != 3; });
  append_windowed_layers(olmo.arch, olmo.layer, sliding, config.or_class_default("sliding_window", 4096));
  return config.finish(olmo.arch);
}

}  // namespace mekiki
