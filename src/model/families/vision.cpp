#include "model/families/vision.h"

#include "model/count.h"
#include "model/exact_count.h"
#include "model/families/parts.h"

namespace mekiki {
namespace {

struct Patches {
  std::int64_t size;      // edge in pixels
  std::int64_t channels;  // of the image
};

Patches read_patches(ConfigReader& vision) {
  return {vision.required("patch_size", {1, 10'000}), vision.or_default("num_channels", 3, {1, 1000})};
}

}  // namespace

std::int64_t with_bias(std::int64_t in, std::int64_t out) {
  return capped_sum(capped_product(in, out), out);
}

std::optional<VisionTower> read_tower(ConfigReader& config, std::int64_t text_hidden_size, ReadTower read) {
  if (!config.has("vision_config")) {
    config.warn(ConfigWarningKind::tower_not_described, "vision_config", "");
    return std::nullopt;
  }
  return read(config, text_hidden_size);
}

VisionTower read_siglip(ConfigReader& config, std::int64_t text_hidden_size) {
  ConfigReader vision = config.section("vision_config");
  const std::int64_t width = vision.required("hidden_size");
  const Patches patches = read_patches(vision);
  const std::int64_t edge = vision.required("image_size", {1, 1'000'000}) / patches.size;
  Attention attention = read_attention(vision, width);
  attention.qkv_bias = true;
  attention.output_bias = true;
  const DenseFfn ffn{.intermediate_size = vision.required("intermediate_size"), .gated = false, .bias = true};
  const std::int64_t layers = vision.required("num_hidden_layers", kLayers);
  if (vision.flag("vision_use_head", true)) {
    vision.refuse_unsupported("vision_use_head", "a pooling head on the image tower is not modelled");
  }
  vision.ignore({"hidden_act", "attention_dropout"});

  const std::int64_t layer = layer_weights(pre_norm_layer(attention, ffn, NormKind::layer_norm), width);
  const std::int64_t patch = capped_sum(capped_product(patches.channels * patches.size, patches.size, width), width);
  VisionTower tower{.kind = "siglip"};
  tower.projector_weights = capped_sum(capped_product(width, text_hidden_size), width);
  tower.weights = capped_sum(
      patch, capped_product(edge, edge, width), capped_product(layers, layer), 2 * width, tower.projector_weights);
  return tower;
}

VisionTower read_shuffled_patches(ConfigReader& config, std::int64_t text_hidden_size) {
  ConfigReader vision = config.section("vision_config");
  const std::int64_t width = vision.required("hidden_size");
  const Patches patches = read_patches(vision);
  const std::int64_t edge = vision.required("image_size", {1, 1'000'000}) / patches.size;
  Attention attention = read_attention(vision, width);
  attention.qkv_bias = true;
  attention.output_bias = true;
  const std::int64_t intermediate = vision.required("intermediate_size");
  const DenseFfn ffn{.intermediate_size = intermediate, .gated = false, .bias = true};
  const std::int64_t layers = vision.required("num_hidden_layers", kLayers);
  const std::int64_t inner = vision.required("projector_input_dim");
  const std::int64_t outer = vision.required("projector_output_dim");
  const std::int64_t projected = vision.or_class_default("vision_output_dim", 7680);
  if (vision.flag("multi_modal_projector_bias", false)) {
    vision.refuse_unsupported("multi_modal_projector_bias", "a projector with bias is not modelled");
  }
  vision.ignore({"attention_dropout",
                 "hidden_act",
                 "pixel_shuffle_ratio",
                 "projector_dropout",
                 "vision_feature_layer",
                 "vision_feature_select_strategy"});

  const std::int64_t layer = layer_weights(pre_norm_layer(attention, ffn, NormKind::layer_norm), width);
  const std::int64_t patch = capped_product(patches.channels * patches.size, patches.size, width);
  const std::int64_t positions = capped_product(capped_sum(capped_product(edge, edge), 1), width);
  VisionTower tower{.kind = "llama4_vision"};
  tower.projector_weights = capped_sum(
      capped_product(intermediate, inner), capped_product(outer, outer), capped_product(projected, text_hidden_size));
  tower.weights =
      capped_sum(patch, width, positions, 4 * width, capped_product(layers, layer), tower.projector_weights);
  return tower;
}

VisionTower read_pixtral(ConfigReader& config, std::int64_t text_hidden_size) {
  ConfigReader vision = config.section("vision_config");
  const std::int64_t width = vision.required("hidden_size");
  const Patches patches = read_patches(vision);
  refuse_other_head_dim(vision);
  const std::int64_t heads = vision.required("num_attention_heads");
  const Attention attention = make_attention(vision, {.heads = heads, .kv_heads = heads}, width);
  const DenseFfn ffn{.intermediate_size = vision.required("intermediate_size")};
  const std::int64_t layers = vision.required("num_hidden_layers", kLayers);
  const std::int64_t merge = config.or_default("spatial_merge_size", 2, {1, 100});
  const bool bias = config.flag("multimodal_projector_bias", false);
  vision.ignore({"hidden_act", "attention_dropout", "image_size"});
  config.ignore({"projector_hidden_act", "vision_feature_layer"});

  const std::int64_t layer = layer_weights(pre_norm_layer(attention, ffn), width);
  const std::int64_t patch = capped_product(patches.channels * patches.size, patches.size, width);
  VisionTower tower{.kind = "pixtral"};
  tower.projector_weights = capped_sum(width,
                                       capped_product(merge * merge, width, width),
                                       capped_product(width, text_hidden_size),
                                       capped_product(text_hidden_size, text_hidden_size),
                                       bias ? 2 * text_hidden_size : 0);
  tower.weights = capped_sum(patch, width, capped_product(layers, layer), tower.projector_weights);
  return tower;
}

}  // namespace mekiki
