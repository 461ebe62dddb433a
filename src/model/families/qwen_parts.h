// What the Qwen generations share: windows on the upper layers, and which layers are mixtures of experts.
#pragma once

#include <optional>

#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

struct QwenBlocks {
  Attention attention;
  DenseFfn dense;
  std::optional<MoeFfn> moe;
};

/// num_experts, num_experts_per_tok, moe_intermediate_size, hidden_act.
MoeFfn read_qwen_moe(ConfigReader& config);

/// Layer i is a mixture of experts where there is one, i is not in mlp_only_layers and decoder_sparse_step divides
/// i + 1. It looks at sliding_window where use_sliding_window is set and i is at least max_window_layers.
void append_qwen_layers(ConfigReader& config, Arch& arch, const QwenBlocks& blocks);

}  // namespace mekiki
