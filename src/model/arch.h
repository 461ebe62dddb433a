// Arch: what a config.json says, as blocks. No behaviour and no family names here; a family (families/*.cpp) maps its
// config to this value, and everything that counts, plans or trains reads it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/enum_names.h"
#include "base/name.h"

namespace mekiki {

enum class NormKind : std::uint8_t {
  none,
  rms,         // one weight vector
  layer_norm,  // weight and bias
  layer_norm_no_bias,
  layer_norm_no_weight  // normalises, stores nothing
};

template <>
struct EnumNames<NormKind> {
  static constexpr std::array<std::string_view, 5> value = {
      "none", "rms", "layer_norm", "layer_norm_no_bias", "layer_norm_no_weight"};
};

enum class Activation : std::uint8_t { silu, gelu, relu, relu2, xielu };

template <>
struct EnumNames<Activation> {
  static constexpr std::array<std::string_view, 5> value = {"silu", "gelu", "relu", "relu2", "xielu"};
};

/// Last parts of the module names that hold the projections; what LoRA targets are matched with.
struct AttentionNames {
  Name query = "q_proj";
  Name key = "k_proj";
  Name value = "v_proj";
  Name fused = "qkv_proj";
  Name output = "o_proj";
  bool operator==(const AttentionNames&) const = default;
};

struct FfnNames {
  Name gate = "gate_proj";
  Name up = "up_proj";
  Name down = "down_proj";
  Name fused = "gate_up_proj";
  bool operator==(const FfnNames&) const = default;
};

/// Grouped-query attention; kv_heads == heads is multi-head, 1 is multi-query.
struct Attention {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  bool qkv_bias = false;
  bool output_bias = false;
  /// Norms on queries and keys: per head (one head_dim vector each) or over the full width.
  enum class QkNorm : std::uint8_t { none, per_head, full } qk_norm = QkNorm::none;
  /// Keys in view at most; unset means all earlier ones.
  std::optional<std::int64_t> sliding_window;
  /// Keys in view are those of the query's own chunk of this length; unset: no chunks.
  std::optional<std::int64_t> chunk;
  /// One GEMM yields q, k and v, so that its input is one module's (LoRA targets and saved inputs follow).
  bool fused_qkv = false;
  bool rotary = true;
  bool output_gate = false;  // doubles the query projection
  bool sinks = false;        // one learned logit per head
  bool soft_cap = false;     // tanh on the scores before the softmax: no plain flash kernel
  AttentionNames names = {};

  bool operator==(const Attention&) const = default;
};

/// Feed-forward network: gated has three matrices, plain two (up and down).
struct DenseFfn {
  std::int64_t intermediate_size = 0;
  bool gated = true;
  bool bias = false;
  Activation activation = Activation::silu;
  bool fused_gate_up = false;
  FfnNames names = {};

  bool operator==(const DenseFfn&) const = default;
};

/// Mixture of experts; each expert is a DenseFfn of width intermediate_size. The shared expert, where there is one, is
/// a DenseFfn of width shared_intermediate_size that every token visits; shared_gate scales it by one logit.
struct MoeFfn {
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t intermediate_size = 0;
  bool gated = true;
  Activation activation = Activation::silu;
  std::int64_t shared_intermediate_size = 0;  // 0: no shared expert
  bool shared_gate = false;
  bool router_bias = false;
  bool correction_bias = false;  // one selection bias per expert, set by the balancing rule and not by gradients
  bool expert_bias = false;
  bool fused_gate_up = false;
  Name router_name = "gate";
  FfnNames names = {};

  bool operator==(const MoeFfn&) const = default;
};

using Block = std::variant<Attention, DenseFfn, MoeFfn>;

/// A block with its norms. `norms_before` and `norms_after` are full-width norms of the layer's NormKind (sandwich
/// norms have one of each). In a parallel layer the norm of the first block may serve the second too: its own
/// norms_before is then 0.
struct SubLayer {
  Block block;
  int norms_before = 1;
  int norms_after = 0;

  bool operator==(const SubLayer&) const = default;
};

struct Layer {
  std::vector<SubLayer> sub_layers;  // in execution order
  NormKind norm = NormKind::rms;
  bool parallel_residual = false;

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
  mtp_vocabulary_copies      // the multi-token-prediction module holds its own embedding and head
};

template <>
struct EnumNames<StoredDifferenceKind> {
  static constexpr std::array<std::string_view, 6> value = {"tied_head_copy",
                                                            "causal_mask_buffers",
                                                            "rotary_frequency_buffers",
                                                            "fp8_block_scales",
                                                            "mxfp4_block_scales",
                                                            "mtp_vocabulary_copies"};
};

struct StoredDifference {
  StoredDifferenceKind kind = StoredDifferenceKind::tied_head_copy;
  std::int64_t elements = 0;

  bool operator==(const StoredDifference&) const = default;
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
  std::vector<LayerGroup> layer_groups;
  std::optional<VisionTower> vision;
  std::int64_t mtp_weights = 0;
  std::vector<StoredDifference> stored_differences;

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

/// Appends `count` layers; they join the last group if they equal its layers.
void append_layers(std::vector<LayerGroup>& groups, std::int64_t count, const Layer& layer);

/// The same model cut after its first `layers` layers (all of them, if it has fewer); tower, head and embedding stay,
/// MTP modules and stored differences go, since no such checkpoint is published.
Arch truncated(Arch arch, std::int64_t layers);

}  // namespace mekiki
