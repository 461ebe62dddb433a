// A block lowered to the few op kinds that have formulas, with logical (unpartitioned) shapes. Counts, FLOPs, the
// tensor list of a checkpoint and the lowering of a training step all start from here, so no weight formula exists
// twice.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/name.h"
#include "base/quantity.h"
#include "model/arch.h"

namespace mekiki {

/// How tensor parallelism may split a linear layer: column = outputs, row = inputs. Experts go whole over the expert
/// ranks and are split by column or row along their own tensor axis.
enum class LinearSplit : std::uint8_t { replicated, column, row, expert_column, expert_row };

constexpr bool is_expert(LinearSplit split) {
  return split == LinearSplit::expert_column || split == LinearSplit::expert_row;
}

/// What an op before the core reads, and where its result goes. Ops behind the core read what comes out of it.
enum class OpInput : std::uint8_t {
  block,   // the block's input; the result waits for the core
  last,    // the last waiting value, whose place it takes
  first,   // the first waiting value, which stays
  gate,    // the block's input; the result waits for the gate behind the core
  aside,   // the block's input; a decision that no later product reads
  output,  // the finished output of the block so far, whose place it takes
};

/// y[tokens, out] = x[tokens, in] W[in, out] (+ b[out]). `name` is the Hugging Face module suffix (a LoRA target),
/// `place` the module between it and the block ("experts"), if any.
struct LinearOp {
  Name name;
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool bias = false;
  LinearSplit split = LinearSplit::replicated;
  std::int64_t copies = 1;  // stored (experts)
  std::int64_t active = 1;  // copies that one token visits
  Name place = "";
  OpInput input = OpInput::block;
  bool decides = false;  // routers, gates of one number: never adapted, quantised or cut to low precision
};

/// Weights that are no linear layer: norm scales, biases, sinks, decay rates. `vectors` of `width` elements each.
struct VectorOp {
  Name name;
  std::int64_t width = 0;
  std::int64_t vectors = 1;
  /// buffer: stored with the weights but without a gradient. parameter: trained, and no norm. latent_norm normalises
  /// the last waiting value and keeps its first `width` channels; output_norm the core's output.
  enum class Role : std::uint8_t { norm, qk_norm, latent_norm, output_norm, buffer, parameter } role = Role::norm;
};

/// Depthwise causal convolution over the first waiting value: y[tokens, width], `kernel` weights per channel.
struct ConvolutionOp {
  Name name;
  std::int64_t width = 0;
  std::int64_t kernel = 0;
  bool bias = false;
};

/// softmax(q k^T) v over `heads`; no weights. Not causal-halved here: the reader of a step decides.
struct AttentionCoreOp {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t qk_dim = 0;
  std::int64_t v_dim = 0;
  std::int64_t sliding_window = 0;  // 0: none
  /// Rotated channels that all heads share and that are joined to the others of each head; 0: none.
  std::int64_t shared_rope_dim = 0;
  std::int64_t keys_chosen = 0;  // an indexer leaves so many keys to each query; 0: all
  bool causal = true;
  bool joins_rotary = false;  // as Attention::joins_rotary
};

/// Linear recurrence over a state of key_dim x value_dim for each head, in chunks of tokens: within a chunk products
/// like attention's, between chunks products with the state. chunk 1: element by element, no products.
struct ScanOp {
  Name name;
  std::int64_t heads = 0;
  std::int64_t key_dim = 0;
  std::int64_t value_dim = 0;
  std::int64_t chunk = 1;
};

/// Multiplies the core's output by the activated gate.
struct GateOp {
  Activation activation = Activation::silu;
  std::int64_t width = 0;
};

struct ActivationOp {
  Activation activation = Activation::silu;
  std::int64_t width = 0;
  bool gated = false;
  std::int64_t active = 1;
};

using ModelOp = std::variant<LinearOp, VectorOp, AttentionCoreOp, ActivationOp, ConvolutionOp, ScanOp, GateOp>;

/// Ops of one block in execution order, without the norms around it (those belong to the sub-layer).
/// `hidden_size` is the width of the residual stream. Tested: model/ops_test.cpp against published totals.
std::vector<ModelOp> ops_of(const Block& block, std::int64_t hidden_size);

/// Weights of one full-width norm of this kind.
std::int64_t norm_weights(NormKind kind, std::int64_t width);

/// All copies, biases included. Like the two below, it stops at kCountCeiling (model/exact_count.h).
std::int64_t stored_weights(const ModelOp& op);

/// What one token visits: routed experts count experts_per_token times.
std::int64_t active_weights(const ModelOp& op);

/// Weights of matrix products that one token visits (no norms, no biases).
std::int64_t matmul_weights(const ModelOp& op);

}  // namespace mekiki
