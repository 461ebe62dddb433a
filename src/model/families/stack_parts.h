// Stacks of unequal layers: which layer is of which kind, and modules for further tokens. Like families/parts.h, every
// function reads through the ConfigReader, which keeps the first problem.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

/// One string per layer; empty where the key is absent. Another length is refused.
std::vector<std::string_view> read_layer_kinds(ConfigReader& config, std::string_view key, std::int64_t layers);

/// Which layers are mixtures of experts: mlp_layer_types ("dense", "sparse") where present, else all but the first
/// first_k_dense_replace (`dense_by_class` where absent). Sparse layers at a distance are refused.
std::vector<bool> read_sparse_layers(ConfigReader& config, std::int64_t layers, std::int64_t dense_by_class);

/// All but v_head_dim: num_attention_heads, qk_nope_head_dim, qk_rope_head_dim, kv_lora_rank, attention_bias, and
/// q_lora_rank, where null means one full query projection and absence the rank of the class (0: none).
LatentAttention read_latent_attention(ConfigReader& config, std::int64_t query_rank_by_class);

/// `modules` MTP modules: the layers each, behind a projection of the doubled width to the width and three norms (of
/// the two inputs and of the result).
void add_prediction_modules(Arch& arch, std::int64_t modules, const std::vector<Layer>& layers);

}  // namespace mekiki
