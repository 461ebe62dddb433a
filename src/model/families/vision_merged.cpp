#include "model/count.h"
#include "model/exact_count.h"
#include "model/families/parts.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

/// The width handed to the text model where the config is silent.
constexpr std::int64_t kOutByClass = 3584;

struct Tower {
  std::int64_t width = 1;
  std::int64_t depth = 1;
  std::int64_t heads = 1;
  std::int64_t intermediate_size = 1;
  std::int64_t out = 1;
  std::int64_t merge = 2;
  std::int64_t patch_weights = 1;  // without bias
};

Tower read_patches(ConfigReader& vision, Tower tower, std::int64_t size_by_class) {
  const std::int64_t size = vision.or_default("patch_size", size_by_class, {1, 10'000});
  const std::int64_t frames = vision.or_default("temporal_patch_size", 2, {1, 100});
  const std::int64_t channels =
      vision.or_default("in_channels", vision.or_default("in_chans", 3, {1, 1000}), {1, 1000});
  tower.merge = vision.or_default("spatial_merge_size", 2, {1, 100});
  tower.patch_weights = capped_product(channels * frames * size * size, tower.width);
  vision.ignore({"fullatt_block_indexes", "hidden_act", "spatial_patch_size", "tokens_per_second", "window_size"});
  return tower;
}

std::int64_t layers_of(ConfigReader& vision, const Tower& tower, bool gated, NormKind norm) {
  Attention attention = make_attention(vision, {.heads = tower.heads, .kv_heads = tower.heads}, tower.width);
  attention.qkv_bias = true;
  attention.output_bias = true;
  const DenseFfn ffn{.intermediate_size = tower.intermediate_size, .gated = gated, .bias = true};
  return capped_product(tower.depth, layer_weights(pre_norm_layer(attention, ffn, norm), tower.width));
}

/// Two layers over the joined patches, without the norm before them.
std::int64_t merger_of(const Tower& tower) {
  const std::int64_t joined = tower.merge * tower.merge * tower.width;
  return capped_sum(with_bias(joined, joined), with_bias(joined, tower.out));
}

VisionTower finish(std::int64_t encoder, std::int64_t projector) {
  return {.kind = "merged_patches", .weights = capped_sum(encoder, projector), .projector_weights = projector};
}

}  // namespace

VisionTower read_merged_patches(ConfigReader& config, std::int64_t /*text_hidden_size*/) {
  ConfigReader vision = config.section("vision_config");
  Tower tower;
  tower.width = vision.or_class_default("embed_dim", 1280);
  tower.depth = vision.or_class_default("depth", 32, kLayers);
  tower.heads = vision.or_class_default("num_heads", 16);
  tower.intermediate_size = vision.or_default("mlp_ratio", 4, {1, 1000}) * tower.width;
  tower.out = vision.or_class_default("hidden_size", kOutByClass);
  tower = read_patches(vision, tower, 14);
  const std::int64_t layers = layers_of(vision, tower, false, NormKind::layer_norm);
  return finish(capped_sum(tower.patch_weights, layers), capped_sum(merger_of(tower), 2 * tower.width));
}

VisionTower read_merged_patches_gated(ConfigReader& config, std::int64_t /*text_hidden_size*/) {
  ConfigReader vision = config.section("vision_config");
  Tower tower;
  tower.width = vision.or_class_default("hidden_size", 3584);
  tower.depth = vision.or_class_default("depth", 32, kLayers);
  tower.heads = vision.or_class_default("num_heads", 16);
  tower.intermediate_size = vision.or_class_default("intermediate_size", 3420);
  tower.out = vision.or_class_default("out_hidden_size", kOutByClass);
  tower = read_patches(vision, tower, 14);
  const std::int64_t layers = layers_of(vision, tower, true, NormKind::rms);
  return finish(capped_sum(tower.patch_weights, layers), capped_sum(merger_of(tower), tower.width));
}

namespace {

VisionTower read_with_positions(ConfigReader& vision, std::int64_t stacked_by_class) {
  Tower tower;
  tower.width = vision.required("hidden_size");
  tower.depth = vision.required("depth", kLayers);
  tower.heads = vision.required("num_heads");
  tower.intermediate_size = vision.required("intermediate_size");
  tower.out = vision.or_class_default("out_hidden_size", kOutByClass);
  tower = read_patches(vision, tower, 16);
  const std::int64_t positions = capped_product(vision.required("num_position_embeddings"), tower.width);
  const auto listed = static_cast<std::int64_t>(vision.integers("deepstack_visual_indexes", kLayersOrNone).size());
  const std::int64_t stacked = vision.present("deepstack_visual_indexes") ? listed : stacked_by_class;
  const std::int64_t layers = layers_of(vision, tower, false, NormKind::layer_norm);
  const std::int64_t encoder = capped_sum(capped_sum(tower.patch_weights, tower.width), capped_sum(positions, layers));
  // The norm before the merger is of the patch width, those of the inner ones of the joined width.
  const std::int64_t joined_norm = 2 * tower.merge * tower.merge * tower.width;
  const std::int64_t inner = capped_product(stacked, capped_sum(merger_of(tower), joined_norm));
  return finish(encoder, capped_sum(capped_sum(merger_of(tower), 2 * tower.width), inner));
}

}  // namespace

VisionTower read_merged_patches_stacked(ConfigReader& config, std::int64_t /*text_hidden_size*/) {
  ConfigReader vision = config.section("vision_config");
  return read_with_positions(vision, 3);
}

VisionTower read_merged_patches_with_positions(ConfigReader& config, std::int64_t /*text_hidden_size*/) {
  ConfigReader vision = config.section("vision_config");
  if (!vision.integers("deepstack_visual_indexes", kLayersOrNone).empty()) {
    vision.refuse_unsupported("deepstack_visual_indexes", "projections from inner layers are not known for this type");
  }
  return read_with_positions(vision, 0);
}

}  // namespace mekiki
