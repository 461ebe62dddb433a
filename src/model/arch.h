// Arch: what a config.json says, as blocks. No behaviour and no family names here; a family (families/*.cpp) maps its
// config to this value, and everything that counts, plans or trains reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mekiki {

enum class NormKind : std::uint8_t {
  none,
  rms,         // one weight vector
  layer_norm,  // weight and bias
  layer_norm_no_bias
};

enum class Activation : std::uint8_t { silu, gelu, relu, relu2, xielu };

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
  /// One GEMM yields q, k and v, so that its input is one module's (LoRA targets and saved inputs follow).
  bool fused_qkv = false;
  bool rotary = true;
  bool output_gate = false;  // doubles the query projection
  bool sinks = false;        // one learned logit per head
};

/// Feed-forward network: gated has three matrices, plain two.
struct DenseFfn {
  std::int64_t intermediate_size = 0;
  bool gated = true;
  bool bias = false;
  Activation activation = Activation::silu;
  bool fused_gate_up = false;
};

/// Mixture of experts; each expert is a DenseFfn of width intermediate_size.
struct MoeFfn {
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t intermediate_size = 0;
  bool gated = true;
  Activation activation = Activation::silu;
  std::int64_t shared_intermediate_size = 0;  // 0: no shared expert
  bool shared_gate = false;
  bool router_bias = false;
  bool correction_bias = false;
  bool expert_bias = false;
};

using Block = std::variant<Attention, DenseFfn, MoeFfn>;

/// A block with its norms. `norms_before` and `norms_after` are full-width norms of the layer's NormKind (sandwich
/// norms have one of each). In a parallel layer the norm of the first block serves the second too: its own norms_before
/// is 0.
struct SubLayer {
  Block block;
  int norms_before = 1;
  int norms_after = 0;
};

struct Layer {
  std::vector<SubLayer> sub_layers;
  NormKind norm = NormKind::rms;
  bool parallel_residual = false;
};

/// `count` equal layers in a row.
struct LayerGroup {
  std::int64_t count = 0;
  Layer layer;
};

/// Parts beside the decoder that training of the text model carries along or leaves out.
struct VisionTower {
  std::int64_t weights = 0;
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
  NormKind final_norm = NormKind::rms;
  bool embedding_norm = false;  // a norm right after the embedding, of kind final_norm
  std::vector<LayerGroup> layer_groups;
  std::optional<VisionTower> vision;
  std::int64_t mtp_weights = 0;

  std::int64_t layer_count() const {
    std::int64_t n = 0;
    for (const LayerGroup& group : layer_groups) {
      n += group.count;
    }
    return n;
  }
};

}  // namespace mekiki
