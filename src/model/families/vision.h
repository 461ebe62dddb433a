// Weights of image towers and of the projectors behind them. Their steps are not modelled: what trains is the text.
#pragma once

#include <cstdint>
#include <optional>

#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

using ReadTower = VisionTower (*)(ConfigReader&, std::int64_t text_hidden_size);

/// Weights of a linear layer with a bias.
std::int64_t with_bias(std::int64_t in, std::int64_t out);

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
/// LayerNorm and a plain network of 4 x the width (Qwen2-VL), RMSNorm and a gated one (Qwen2.5-VL), or LayerNorm and
/// learned positions (Qwen3.5), with further projections from inner layers (Qwen3-VL). Each reads vision_config.
VisionTower read_merged_patches(ConfigReader& config, std::int64_t text_hidden_size);
VisionTower read_merged_patches_gated(ConfigReader& config, std::int64_t text_hidden_size);
VisionTower read_merged_patches_with_positions(ConfigReader& config, std::int64_t text_hidden_size);
VisionTower read_merged_patches_stacked(ConfigReader& config, std::int64_t text_hidden_size);

/// MoonViT: a patch convolution with bias, learned positions of the image plane, LayerNorm layers with biases, a norm;
/// then a norm, and two layers over the patches of a small square. Reads vision_config of Kimi-K2.5.
VisionTower read_moonvit(ConfigReader& config, std::int64_t text_hidden_size);

/// The tower of Gemma 4: patches and two position tables without bias, layers with norms before and after and on
/// queries and keys, gated networks; then a projection. The scaling of the pooled result is stored beside and not
/// counted.
VisionTower read_pooled_patches(ConfigReader& config, std::int64_t text_hidden_size);

/// The tower of GLM-4.1V and GLM-4.5V: patches with bias, learned positions, RMSNorm layers whose gated networks are as
/// wide as the text model; then a convolution that joins patches and a gated network behind a norm.
VisionTower read_downsampled_patches(ConfigReader& config, std::int64_t text_hidden_size);

/// CLIP's image encoder: patches without bias, a class token, learned positions, norms before and after, layers with
/// biases; then two layers. Source: transformers CLIPVisionModel, LlavaConfig.
VisionTower read_clip(ConfigReader& config, std::int64_t text_hidden_size);

/// Where checkpoints of multimodal models keep the text model.
inline constexpr ModelNames kTextUnderLanguageModel{.embedding = "language_model.model.embed_tokens",
                                                    .layers = "language_model.model.layers",
                                                    .final_norm = "language_model.model.norm",
                                                    .head = "language_model.lm_head"};
inline constexpr ModelNames kTextUnderModel{.embedding = "model.language_model.embed_tokens",
                                            .layers = "model.language_model.layers",
                                            .final_norm = "model.language_model.norm"};

}  // namespace mekiki
