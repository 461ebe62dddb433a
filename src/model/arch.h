// Arch: what a config.json says, as blocks. No behaviour and no family names here; a family (families/*.cpp) maps its
// config to this value, and everything that counts, plans or trains reads it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/name.h"
#include "model/blocks.h"

namespace mekiki {

/// A block with its norms. `norms_before` and `norms_after` are full-width norms of the layer's NormKind (sandwich
/// norms have one of each). In a parallel layer the norm of the first block may serve the second too: its own
/// norms_before is then 0.
struct SubLayer {
  Block block;
  int norms_before = 1;
  int norms_after = 0;
  Name norm_before = "";  // module names below the layer; empty: not known
  Name norm_after = "";
  Name norm_last = "";  // the second of two norms after

  bool operator==(const SubLayer&) const = default;
};

struct Layer {
  std::vector<SubLayer> sub_layers;  // in execution order
  NormKind norm = NormKind::rms;
  /// The norm scales its fp32 result before it returns to the input's dtype; a layer norm is then composed of single
  /// ops.
  bool wide_norm = false;
  /// The norm multiplies by one more than its weight, which it makes in fp32 in each pass.
  bool offset_norm = false;
  bool parallel_residual = false;
  bool output_scalar = false;  // one stored factor on the layer's output, without a gradient
  bool encoder = false;        // runs before all decoder layers, on the source sequence, seeing all of it

  bool operator==(const Layer&) const = default;
};

/// `count` equal layers in a row.
struct LayerGroup {
  std::int64_t count = 0;
  Layer layer;

  bool operator==(const LayerGroup&) const = default;
};

/// The image part of a multimodal model: an encoder of the named kind and the projector into the text model's width.
/// `weights` is both together. Its time and memory are not modelled.
struct VisionTower {
  Name kind;
  std::int64_t weights = 0;
  std::int64_t projector_weights = 0;

  bool operator==(const VisionTower&) const = default;
};

/// Drop rates in training, as the config or the class behind it says. They cost memory: masks are kept for backward.
struct Dropout {
  double attention = 0.0;  // on the softmax
  double hidden = 0.0;     // on the outputs of blocks

  bool operator==(const Dropout&) const = default;
};

/// Why a published checkpoint holds more elements than the model has weights.
enum class StoredDifferenceKind : std::uint8_t {
  tied_head_copy,            // the tied output head is written a second time
  causal_mask_buffers,       // one n x n mask per layer
  rotary_frequency_buffers,  // inv_freq of each layer, or of the model
  fp8_block_scales,          // one scale per block of an FP8 matrix
  mxfp4_block_scales,        // one scale per 32 packed weights
  mtp_vocabulary_copies,     // the multi-token-prediction module holds its own embedding and head
  buffers_left_out           // the other way round: weights without a gradient that the published total lacks
};

template <>
struct EnumNames<StoredDifferenceKind> {
  static constexpr std::array<std::string_view, 7> value = {"tied_head_copy",
                                                            "causal_mask_buffers",
                                                            "rotary_frequency_buffers",
                                                            "fp8_block_scales",
                                                            "mxfp4_block_scales",
                                                            "mtp_vocabulary_copies",
                                                            "buffers_left_out"};
};

struct StoredDifference {
  StoredDifferenceKind kind = StoredDifferenceKind::tied_head_copy;
  std::int64_t elements = 0;

  bool operator==(const StoredDifference&) const = default;
};

/// Module names outside the blocks, as the Hugging Face checkpoint has them.
struct ModelNames {
  bool known = false;  // whether the names, of blocks too, were checked for this family
  Name embedding = "model.embed_tokens";
  Name positions = "model.embed_positions";
  Name embedding_norm = "model.embed_layernorm";
  Name embedding_up = "model.decoder.project_in";  // where embedding_size is set
  Name embedding_down = "model.decoder.project_out";
  Name layers = "model.layers";
  Name encoder_layers = "encoder.block";
  Name final_norm = "model.norm";
  Name encoder_norm = "encoder.final_layer_norm";
  Name head = "lm_head";
  bool in_by_out = false;  // linear layers of blocks are stored [in, out]

  bool operator==(const ModelNames&) const = default;
};

struct Arch {
  std::string id;      // catalogue id or path, for messages
  std::string family;  // id of the family that read it
  std::int64_t hidden_size = 0;
  std::int64_t vocab_size = 0;
  std::int64_t max_position_embeddings = 0;  // 0: the config does not say
  std::int64_t learned_positions = 0;        // rows of a learned position table; 0: rotary, ALiBi or none
  bool tie_word_embeddings = false;
  bool head_bias = false;
  bool logit_soft_cap = false;  // tanh on the logits before the loss
  NormKind final_norm = NormKind::rms;
  Dropout dropout;
  bool embedding_norm = false;  // a norm right after the embedding, of kind final_norm
  bool encoder_norm = false;    // a norm behind the encoder, of kind final_norm
  /// Width of the embedding and of the head where they differ from hidden_size; two projections stand between. 0: same.
  std::int64_t embedding_size = 0;
  std::vector<LayerGroup> layer_groups;
  std::optional<VisionTower> vision;
  /// Modules that predict tokens further ahead (MTP): in the checkpoint, not in the model that trains. Their layers,
  /// and the weights of the modules in all, with the projections and norms around those layers.
  std::vector<LayerGroup> mtp_layers;
  std::int64_t mtp_weights = 0;
  std::vector<StoredDifference> stored_differences;
  ModelNames names;

  std::int64_t layer_count() const {
    std::int64_t n = 0;
    for (const LayerGroup& group : layer_groups) {
      n += group.count;
    }
    return n;
  }
};

/// Whether two models cost the same to train at the same length: all but names, maximum length, drop rates and what a
/// checkpoint stores besides.
bool same_shape(const Arch& a, const Arch& b);

/// The first mixture of experts of the model; null: it has none. Layers of one model route alike.
const MoeFfn* experts_of(const Arch& arch);

/// Appends `count` layers; they join the last group if they equal its layers.
void append_layers(std::vector<LayerGroup>& groups, std::int64_t count, const Layer& layer);

/// The same model cut after its first `layers` layers (all of them, if it has fewer); tower, head and embedding stay,
/// MTP modules and stored differences go, since no such checkpoint is published.
Arch truncated(Arch arch, std::int64_t layers);

}  // namespace mekiki
