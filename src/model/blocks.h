// The closed set of blocks that every layer is made of. Plain values; what they cost is in ops.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

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

/// Module names as the Hugging Face checkpoint has them. `module` is the block's own, below its layer; the others are
/// below the block, and what LoRA targets are matched with.
struct AttentionNames {
  Name module = "self_attn";
  Name query = "q_proj";
  Name key = "k_proj";
  Name value = "v_proj";
  Name fused = "qkv_proj";
  Name output = "o_proj";
  Name query_norm = "q_norm";
  Name key_norm = "k_norm";
  Name gate = "";  // a gate's own projection; empty: in the query projection
  bool operator==(const AttentionNames&) const = default;
};

struct FfnNames {
  Name module = "mlp";
  Name gate = "gate_proj";
  Name up = "up_proj";
  Name down = "down_proj";
  Name fused = "gate_up_proj";
  bool operator==(const FfnNames&) const = default;
};

/// Grouped-query attention; kv_heads == heads is multi-head, 1 is multi-query. Causal in a decoder layer, over the
/// whole sequence in an encoder layer.
struct Attention {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  bool qkv_bias = false;
  bool output_bias = false;
  /// Norms on queries and keys: per head (one head_dim vector each) or over the full width.
  enum class QkNorm : std::uint8_t { none, per_head, full } qk_norm = QkNorm::none;
  bool qk_norm_bias = false;
  /// Keys in view at most; unset means all earlier ones.
  std::optional<std::int64_t> sliding_window;
  /// Keys in view are those of the query's own chunk of this length; unset: no chunks.
  std::optional<std::int64_t> chunk;
  /// One GEMM yields q, k and v, so that its input is one module's (LoRA targets and saved inputs follow).
  bool fused_qkv = false;
  bool rotary = true;
  /// The rotated channels of a head are joined to its others as a new tensor, head by head in memory, even where all
  /// rotate; what attention returns is then copied for the output product.
  bool joins_rotary = false;
  bool output_gate = false;   // a product as large as the query projection, without bias if it is one of its own
  bool sinks = false;         // one learned logit per head
  bool soft_cap = false;      // tanh on the scores before the softmax: no plain flash kernel
  bool value_is_key = false;  // no value projection: values are the projected keys
  bool cross = false;         // keys and values come from the encoder's output
  /// Learned bias of the scores: this many distances for each head; 0: none.
  std::int64_t relative_positions = 0;
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

/// How a checkpoint holds the matrices of all experts.
enum class ExpertStorage : std::uint8_t {
  separate,        // one tensor per expert and matrix
  stacked_out_in,  // [experts, out, in]
  stacked_in_out,  // [experts, in, out]
  stacked_in_rows  // [experts x width, hidden], down transposed
};

/// Where a mixture keeps its parts, below the module of the block.
struct MoeNames {
  Name experts = "experts";
  Name shared = "shared_experts";
  Name shared_gate = "shared_expert_gate";
  bool shared_apart = false;  // the shared expert has the usual matrices and names, whatever the routed ones have
  Name correction_bias = "gate.e_score_correction_bias";
  bool correction_as_row = false;  // stored [1, experts]
  ExpertStorage storage = ExpertStorage::separate;
  Name stacked_suffix = "";  // after the name of a stacked matrix: ".weight", or nothing
  bool operator==(const MoeNames&) const = default;
};

/// Mixture of experts; each expert is a DenseFfn of width intermediate_size. The shared expert, where there is one, is
/// a DenseFfn of width shared_intermediate_size that every token visits; shared_gate scales it by one logit.
struct MoeFfn {
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t groups_per_token = 0;  // groups of experts that a token's choices may lie in; 0: any
  std::int64_t intermediate_size = 0;
  bool gated = true;
  Activation activation = Activation::silu;
  std::int64_t shared_intermediate_size = 0;  // 0: no shared expert
  bool shared_gate = false;
  bool router_bias = false;
  bool correction_bias = false;  // one selection bias per expert, set by the balancing rule and not by gradients
  bool expert_bias = false;
  bool fused_gate_up = false;
  bool router_scale = false;     // the router scales its input by one vector, its choices by one number per expert
  std::int64_t latent_size = 0;  // width that experts work at, behind one projection down and one up; 0: none
  Name router_name = "gate";
  FfnNames names = {};
  MoeNames places = {};

  bool operator==(const MoeFfn&) const = default;
};

/// Chooses for every query the keys that the attention beside it may see; heads of its own, one shared key.
struct KeyIndexer {
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t keys_chosen = 0;
  bool reused = false;  // the choices of the nearest earlier layer that has its own: no weights, no products

  bool operator==(const KeyIndexer&) const = default;
};

/// Multi-head latent attention: keys and values are kept as one narrow vector of kv_lora_rank (and one rotated key of
/// qk_rope_head_dim that all heads share), widened for each head when used.
/// Source: DeepSeek-V2, arXiv 2405.04434, section 2.1; the indexer: DeepSeek-V3.2, arXiv 2512.02556, section 2.1.
struct LatentAttention {
  std::int64_t heads = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t v_head_dim = 0;
  std::int64_t q_lora_rank = 0;  // 0: one full query projection
  std::int64_t kv_lora_rank = 0;
  bool bias = false;  // on the projections down and on the output
  std::optional<KeyIndexer> indexer;
  Name module = "self_attn";

  std::int64_t qk_head_dim() const { return qk_nope_head_dim + qk_rope_head_dim; }
  bool operator==(const LatentAttention&) const = default;
};

/// State-space mixer: projection in, short causal convolution, scan over a state, projection out.
/// Source: Mamba, arXiv 2312.00752 (selective_scan); Mamba-2, arXiv 2405.21060 (per_head).
struct StateSpace {
  enum class Kind : std::uint8_t {
    selective_scan,    // a step for each channel, from a low-rank projection; input and gate projected
    per_head,          // a step for each head; input, gate, B, C and steps come out of one projection
    per_head_low_rank  // a step for each head, from a low-rank projection with norms on B, C and the step
  } kind = Kind::selective_scan;
  std::int64_t inner_size = 0;
  std::int64_t state_size = 0;
  std::int64_t conv_kernel = 4;
  std::int64_t heads = 0;      // per_head kinds
  std::int64_t groups = 1;     // of B and C, per_head
  std::int64_t step_rank = 0;  // low-rank kinds
  std::int64_t chunk = 256;    // per_head: tokens scanned at once
  bool conv_bias = true;
  bool projection_bias = false;
  bool gated_norm = true;    // per_head: a norm on the gated output
  bool inner_norms = false;  // selective_scan: norms on the step, B and C
  Name module = "mixer";

  bool operator==(const StateSpace&) const = default;
};

template <>
struct EnumNames<StateSpace::Kind> {
  static constexpr std::array<std::string_view, 3> value = {"selective_scan", "per_head", "per_head_low_rank"};
};

/// Linear attention with the delta rule and a gated norm. Source: arXiv 2412.06464.
struct GatedDelta {
  std::int64_t key_heads = 0;
  std::int64_t value_heads = 0;
  std::int64_t key_head_dim = 0;
  std::int64_t value_head_dim = 0;
  std::int64_t conv_kernel = 4;
  std::int64_t chunk = 64;
  bool fused_inputs = true;  // query, key, value and gate in one projection, both scalars in another
  /// Decay per key channel and gate come out of products of this rank (arXiv 2510.26692); 0: a decay per head, one
  /// product for the gate.
  std::int64_t gate_rank = 0;
  Name module = "linear_attn";

  bool operator==(const GatedDelta&) const = default;
};

/// Linear attention with fixed decay, an output gate and a norm before it.
/// Source: MiniMax-01, arXiv 2501.08313.
struct LightningAttention {
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t chunk = 256;
  Activation activation = Activation::silu;
  Name module = "self_attn";

  bool operator==(const LightningAttention&) const = default;
};

/// A short gated convolution as mixer: h to 3h, depthwise convolution, h to h. Source: transformers Lfm2ShortConv.
struct ShortConvolution {
  std::int64_t kernel = 3;
  bool bias = false;
  Name module = "conv";

  bool operator==(const ShortConvolution&) const = default;
};

using Block = std::
    variant<Attention, DenseFfn, MoeFfn, LatentAttention, StateSpace, GatedDelta, LightningAttention, ShortConvolution>;

}  // namespace mekiki
