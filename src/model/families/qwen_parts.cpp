#include "model/families/qwen_parts.h"

#include <algorithm>
#include <vector>

#include "model/families/parts.h"

namespace mekiki {
namespace {

struct Windows {
  std::vector<bool> sliding;
  std::optional<std::int64_t> size;
};

Windows read_windows(ConfigReader& config, std::int64_t layers) {
  const bool used = config.flag("use_sliding_window", false);
  const std::int64_t first = config.or_default("max_window_layers", layers, kLayersOrNone);
  const std::optional<std::int64_t> size = config.optional("sliding_window");
  Windows windows{read_sliding_layers(config, layers, [](std::int64_t) { return false; }), used ? size : std::nullopt};
  if (used && !config.has("layer_types")) {
    for (std::int64_t layer = std::min(first, layers); layer < layers; ++layer) {
      windows.sliding[static_cast<std::size_t>(layer)] = true;
    }
  }
  return windows;
}

}  // namespace

MoeFfn read_qwen_moe(ConfigReader& config) {
  MoeFfn moe;
  moe.experts = config.any_of({"num_experts", "num_local_experts"});
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.activation = read_activation(config, "hidden_act", "silu");
  return moe;
}

void append_qwen_layers(ConfigReader& config, Arch& arch, const QwenBlocks& blocks) {
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const Windows windows = read_windows(config, layers);
  std::vector<std::int64_t> dense_layers;
  std::int64_t step = 1;
  if (blocks.moe) {
    dense_layers = config.integers("mlp_only_layers", kLayersOrNone);
    step = config.or_default("decoder_sparse_step", 1, kLayers);
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  if (config.failed()) {
    return;
  }
  for (std::int64_t i = 0; i < layers; ++i) {
    const bool listed = std::find(dense_layers.begin(), dense_layers.end(), i) != dense_layers.end();
    const bool sparse = blocks.moe && !listed && (i + 1) % step == 0;
    const Block ffn = sparse ? Block(*blocks.moe) : Block(blocks.dense);
    Attention attention = blocks.attention;
    if (windows.sliding[static_cast<std::size_t>(i)]) {
      attention.sliding_window = windows.size;
    }
    append_layers(arch.layer_groups, 1, pre_norm_layer(attention, ffn));
  }
}

}  // namespace mekiki
