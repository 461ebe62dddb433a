#include "model/count.h"
#include "model/exact_count.h"
#include "model/families/parts.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

/// Pixels of one patch over all colours.
std::int64_t patch_values(ConfigReader& vision, std::int64_t size_by_class) {
  const std::int64_t size = vision.or_default("patch_size", size_by_class, {1, 10'000});
  const std::int64_t channels = vision.or_default("in_channels", vision.or_default("num_channels", 3, {1, 1000}));
  return capped_product(channels, size, size);
}

std::int64_t patches_of_image(ConfigReader& vision, std::int64_t size_by_class) {
  const std::int64_t size = vision.or_default("patch_size", size_by_class, {1, 10'000});
  const std::int64_t edge = vision.required("image_size", {1, 1'000'000}) / size;
  return capped_product(edge, edge);
}

Attention encoder_attention(ConfigReader& vision, std::int64_t heads, std::int64_t width, bool bias) {
  Attention attention = make_attention(vision, {.heads = heads, .kv_heads = heads}, width);
  attention.qkv_bias = bias;
  attention.output_bias = bias;
  return attention;
}

}  // namespace

VisionTower read_moonvit(ConfigReader& config, std::int64_t text_hidden_size) {
  ConfigReader vision = config.section("vision_config");
  const std::int64_t width = vision.any_of({"vt_hidden_size", "hidden_size"});
  const std::int64_t heads = vision.any_of({"vt_num_attention_heads", "num_attention_heads"});
  const std::int64_t layers = vision.any_of({"vt_num_hidden_layers", "num_hidden_layers"}, kLayers);
  const DenseFfn ffn{
      .intermediate_size = vision.any_of({"vt_intermediate_size", "intermediate_size"}), .gated = false, .bias = true};
  const std::int64_t positions =
      capped_product(vision.or_default("init_pos_emb_height", vision.or_default("pos_emb_height", 64)),
                     vision.or_default("init_pos_emb_width", vision.or_default("pos_emb_width", 64)),
                     width);
  if (vision.text("mm_projector_type", "patchmerger") != "patchmerger") {
    vision.refuse_unsupported("mm_projector_type", "only the patch merger is known");
  }
  const std::int64_t patch = with_bias(patch_values(vision, 14), width);
  const std::int64_t normed = vision.or_default("mm_hidden_size", config.or_default("projection_hidden_size", 1152));
  const std::vector<std::int64_t> merged = vision.integers("merge_kernel_size", {1, 100});
  std::int64_t joined = vision.has("merge_kernel_size") ? width : 4 * width;
  for (const std::int64_t edge : merged) {
    joined = capped_product(joined, edge);
  }
  vision.ignore_rest();
  config.ignore({"media_placeholder_token_id", "use_unified_vision_chunk", "video_placeholder"});
  const Attention attention = encoder_attention(vision, heads, width, true);
  const std::int64_t layer = layer_weights(pre_norm_layer(attention, ffn, NormKind::layer_norm), width);
  VisionTower tower{.kind = "moonvit"};
  tower.projector_weights = capped_sum(2 * normed, with_bias(joined, joined), with_bias(joined, text_hidden_size));
  tower.weights = capped_sum(patch, positions, capped_product(layers, layer), 2 * width, tower.projector_weights);
  return tower;
}

VisionTower read_pooled_patches(ConfigReader& config, std::int64_t text_hidden_size) {
  ConfigReader vision = config.section("vision_config");
  const std::int64_t width = vision.required("hidden_size");
  vision.required("num_key_value_heads");
  vision.required("head_dim");
  Attention attention = read_attention(vision, width);
  attention.qkv_bias = vision.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.qk_norm = Attention::QkNorm::per_head;
  const DenseFfn ffn{.intermediate_size = vision.required("intermediate_size")};
  const std::int64_t layers = vision.required("num_hidden_layers", kLayers);
  const std::int64_t positions = capped_product(2, vision.or_default("position_embedding_size", 10240), width);
  const std::int64_t patch = capped_product(patch_values(vision, 16), width);
  if (vision.flag("use_clipped_linears", false)) {
    vision.refuse_unsupported("use_clipped_linears", "limits on the layers of the image tower are not modelled");
  }
  const std::int64_t scaling = vision.flag("standardize", false) ? 2 * width : 0;
  vision.ignore_rest();
  VisionTower tower{.kind = "gemma4_vision"};
  tower.projector_weights = capped_product(width, text_hidden_size);
  const std::int64_t layer = layer_weights(sandwich_norm_layer(attention, ffn), width);
  tower.weights = capped_sum(patch, positions, capped_product(layers, layer), scaling, tower.projector_weights);
  return tower;
}

VisionTower read_downsampled_patches(ConfigReader& config, std::int64_t) {
  ConfigReader vision = config.section("vision_config");
  const std::int64_t width = vision.required("hidden_size");
  const std::int64_t heads = vision.required("num_heads");
  const std::int64_t layers = vision.required("depth", kLayers);
  const std::int64_t out = vision.or_class_default("out_hidden_size", 4096);
  const std::int64_t context = vision.required("intermediate_size");
  const std::int64_t merge = vision.or_default("spatial_merge_size", 2, {1, 100});
  const std::int64_t frames = vision.or_default("temporal_patch_size", 2, {1, 100});
  const std::int64_t patch = with_bias(capped_product(frames, patch_values(vision, 14)), width);
  const std::int64_t positions = capped_product(patches_of_image(vision, 14), width);
  Attention attention = encoder_attention(vision, heads, width, false);
  attention.qkv_bias = vision.flag("attention_bias", false);
  vision.ignore({"attention_dropout", "hidden_act", "hidden_dropout_prob", "rms_norm_eps"});

  const std::int64_t layer = layer_weights(pre_norm_layer(attention, DenseFfn{.intermediate_size = out}), width);
  VisionTower tower{.kind = "glm4v"};
  tower.projector_weights = capped_sum(capped_product(out, out), 2 * out, capped_product(3, out, context));
  const std::int64_t down = with_bias(capped_product(merge, merge, width), out);
  tower.weights = capped_sum(patch, positions, capped_product(layers, layer), 2 * width, down, tower.projector_weights);
  return tower;
}

VisionTower read_clip(ConfigReader& config, std::int64_t text_hidden_size) {
  ConfigReader vision = config.section("vision_config");
  const std::int64_t width = vision.required("hidden_size");
  const std::int64_t heads = vision.required("num_attention_heads");
  const std::int64_t layers = vision.required("num_hidden_layers", kLayers);
  const DenseFfn ffn{.intermediate_size = vision.required("intermediate_size"), .gated = false, .bias = true};
  if (vision.text("model_type", "clip_vision_model") != "clip_vision_model") {
    vision.refuse_unsupported("model_type", "only CLIP towers are modelled for this type");
  }
  const std::int64_t patch = capped_product(patch_values(vision, 32), width);
  const std::int64_t positions = capped_product(capped_sum(patches_of_image(vision, 32), 1), width);
  vision.ignore({"projection_dim", "hidden_act", "vocab_size", "attention_dropout"});
  config.ignore({"projector_hidden_act", "vision_feature_select_strategy"});
  const bool bias = config.flag("multimodal_projector_bias", true);
  config.optional("vision_feature_layer", {-1000, 1000});

  const Attention attention = encoder_attention(vision, heads, width, true);
  const std::int64_t layer = layer_weights(pre_norm_layer(attention, ffn, NormKind::layer_norm), width);
  VisionTower tower{.kind = "clip"};
  tower.projector_weights = capped_sum(capped_product(width, text_hidden_size),
                                       capped_product(text_hidden_size, text_hidden_size),
                                       bias ? 2 * text_hidden_size : 0);
  tower.weights =
      capped_sum(width, patch, positions, 4 * width, capped_product(layers, layer), tower.projector_weights);
  return tower;
}

}  // namespace mekiki
