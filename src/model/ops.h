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

/// How tensor parallelism may split a linear layer: column = outputs, row = inputs, expert = whole experts over ranks.
enum class LinearSplit : std::uint8_t { replicated, column, row, expert };

/// y[tokens, out] = x[tokens, in] W[in, out] (+ b[out]). `name` is the Hugging Face module suffix (a LoRA target).
struct LinearOp {
  Name name;
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool bias = false;
  LinearSplit split = LinearSplit::replicated;
  std::int64_t copies = 1;  // stored (experts)
  std::int64_t active = 1;  // copies that one token visits
};

/// Weight vectors that are no linear layer: norm scales, biases, sinks. `width` elements each, `vectors` of them.
struct VectorOp {
  Name name;
  std::int64_t width = 0;
  std::int64_t vectors = 1;
  /// A buffer is stored with the weights but gets no gradient; a parameter is a trained vector that is no norm.
  enum class Role : std::uint8_t { norm, qk_norm, buffer, parameter } role = Role::norm;
};

/// softmax(q k^T) v over `heads`; no weights. Not causal-halved here: the reader of a step decides.
struct AttentionCoreOp {
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t qk_dim = 0;
  std::int64_t v_dim = 0;
  std::int64_t sliding_window = 0;  // 0: none
};

struct ActivationOp {
  Activation activation = Activation::silu;
  std::int64_t width = 0;
  bool gated = false;
  std::int64_t active = 1;
};

using ModelOp = std::variant<LinearOp, VectorOp, AttentionCoreOp, ActivationOp>;

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
