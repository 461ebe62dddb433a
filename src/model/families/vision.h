// Weights of image towers and of the projectors behind them. Their steps are not modelled: what trains is the text.
#pragma once

#include <cstdint>
#include <optional>

#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

using ReadTower = VisionTower (*)(ConfigReader&, std::int64_t text_hidden_size);

/// The tower of a multimodal config; a warning where vision_config is absent, as in trimmed copies.
std::optional<VisionTower> read_tower(ConfigReader& config, std::int64_t text_hidden_size, ReadTower read);

/// SigLIP: a patch convolution with bias, learned positions, LayerNorm encoder layers with biases everywhere, no head;
/// then a norm and a bias-free projection to the text width. Reads vision_config.
VisionTower read_siglip(ConfigReader& config, std::int64_t text_hidden_size);

/// Pixtral: a patch convolution without bias, RMSNorm layers with gated networks, no biases; then a norm, a patch
/// merger and two projections. Reads vision_config, spatial_merge_size, multimodal_projector_bias.
VisionTower read_pixtral(ConfigReader& config, std::int64_t text_hidden_size);

/// The encoder of Llama 4: unfolded patches without bias, one class token, learned positions, norms before and after,
/// layers with biases; then a pixel shuffle, two bias-free layers and a bias-free projection. Reads vision_config.
VisionTower read_shuffled_patches(ConfigReader& config, std::int64_t text_hidden_size);

/// Towers that join the patches of a small square before a two-layer projection, all with biases. Their layers have
/// LayerNorm and a plain network of 4 x the width (Qwen2-VL), RMSNorm and a gated one (Qwen2.5-VL), or LayerNorm,
/// learned positions and further projections from inner layers (Qwen3-VL). Each reads vision_config.
VisionTower read_merged_patches(ConfigReader& config, std::int64_t text_hidden_size);
VisionTower read_merged_patches_gated(ConfigReader& config, std::int64_t text_hidden_size);
VisionTower read_merged_patches_stacked(ConfigReader& config, std::int64_t text_hidden_size);

}  // namespace mekiki
