#include "model/ops.h"

#include "model/exact_count.h"

namespace mekiki {
namespace {

void append_projections(std::vector<ModelOp>& ops, const Attention& attention, std::int64_t hidden_size) {
  const std::int64_t query = attention.heads * attention.head_dim * (attention.output_gate ? 2 : 1);
  const std::int64_t key = attention.kv_heads * attention.head_dim;
  const bool bias = attention.qkv_bias;
  const AttentionNames& names = attention.names;
  if (attention.fused_qkv) {
    ops.emplace_back(LinearOp{names.fused, hidden_size, query + 2 * key, bias, LinearSplit::column});
    return;
  }
  ops.emplace_back(LinearOp{names.query, hidden_size, query, bias, LinearSplit::column});
  ops.emplace_back(LinearOp{names.key, hidden_size, key, bias, LinearSplit::column});
  ops.emplace_back(LinearOp{names.value, hidden_size, key, bias, LinearSplit::column});
}

void append_qk_norms(std::vector<ModelOp>& ops, const Attention& attention) {
  if (attention.qk_norm == Attention::QkNorm::none) {
    return;
  }
  const bool full = attention.qk_norm == Attention::QkNorm::full;
  const std::int64_t query = (full ? attention.heads : 1) * attention.head_dim;
  const std::int64_t key = (full ? attention.kv_heads : 1) * attention.head_dim;
  ops.emplace_back(VectorOp{"q_norm", query, 1, VectorOp::Role::qk_norm});
  ops.emplace_back(VectorOp{"k_norm", key, 1, VectorOp::Role::qk_norm});
}

std::vector<ModelOp> ops_of_block(const Attention& attention, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  append_projections(ops, attention, hidden_size);
  append_qk_norms(ops, attention);
  if (attention.sinks) {
    ops.emplace_back(VectorOp{"sinks", attention.heads, 1, VectorOp::Role::parameter});
  }
  ops.emplace_back(AttentionCoreOp{attention.heads,
                                   attention.kv_heads,
                                   attention.head_dim,
                                   attention.head_dim,
                                   attention.sliding_window.value_or(0)});
  ops.emplace_back(LinearOp{attention.names.output,
                            attention.heads * attention.head_dim,
                            hidden_size,
                            attention.output_bias,
                            LinearSplit::row});
  return ops;
}

/// What a feed-forward network and an expert have in common.
struct FfnShape {
  std::int64_t hidden_size;
  std::int64_t width;
  bool gated;
  bool bias;
  bool fused_gate_up;
  Activation activation;
  std::int64_t copies;
  std::int64_t active;
};

void append_ffn(std::vector<ModelOp>& ops, const FfnShape& shape, const FfnNames& names, bool expert) {
  const LinearSplit in = expert ? LinearSplit::expert : LinearSplit::column;
  const LinearSplit out = expert ? LinearSplit::expert : LinearSplit::row;
  const auto inward = [&](Name name, std::int64_t width) {
    return LinearOp{name, shape.hidden_size, width, shape.bias, in, shape.copies, shape.active};
  };
  if (shape.gated && shape.fused_gate_up) {
    ops.emplace_back(inward(names.fused, 2 * shape.width));
  } else {
    if (shape.gated) {
      ops.emplace_back(inward(names.gate, shape.width));
    }
    ops.emplace_back(inward(names.up, shape.width));
  }
  if (shape.activation == Activation::xielu) {
    ops.emplace_back(VectorOp{"act_fn", 1, 2, VectorOp::Role::parameter});
  }
  ops.emplace_back(ActivationOp{shape.activation, shape.width, shape.gated, shape.active});
  ops.emplace_back(LinearOp{names.down, shape.width, shape.hidden_size, shape.bias, out, shape.copies, shape.active});
}

std::vector<ModelOp> ops_of_block(const DenseFfn& ffn, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  append_ffn(ops,
             {hidden_size, ffn.intermediate_size, ffn.gated, ffn.bias, ffn.fused_gate_up, ffn.activation, 1, 1},
             ffn.names,
             false);
  return ops;
}

std::vector<ModelOp> ops_of_block(const MoeFfn& moe, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  ops.emplace_back(LinearOp{moe.router_name, hidden_size, moe.experts, moe.router_bias, LinearSplit::replicated});
  if (moe.correction_bias) {
    ops.emplace_back(VectorOp{"e_score_correction_bias", moe.experts, 1, VectorOp::Role::buffer});
  }
  append_ffn(ops,
             {hidden_size,
              moe.intermediate_size,
              moe.gated,
              moe.expert_bias,
              moe.fused_gate_up,
              moe.activation,
              moe.experts,
              moe.experts_per_token},
             moe.names,
             true);
  if (moe.shared_intermediate_size > 0) {
    append_ffn(ops,
               {hidden_size, moe.shared_intermediate_size, moe.gated, false, moe.fused_gate_up, moe.activation, 1, 1},
               moe.names,
               false);
    if (moe.shared_gate) {
      ops.emplace_back(LinearOp{"shared_expert_gate", hidden_size, 1, false, LinearSplit::replicated});
    }
  }
  return ops;
}

std::int64_t linear_weights(const LinearOp& linear, std::int64_t copies) {
  const std::int64_t matrix = capped_product(linear.in, linear.out);
  return capped_product(copies, capped_sum(matrix, linear.bias ? linear.out : 0));
}

}  // namespace

std::vector<ModelOp> ops_of(const Block& block, std::int64_t hidden_size) {
  return std::visit([&](const auto& b) { return ops_of_block(b, hidden_size); }, block);
}

std::int64_t norm_weights(NormKind kind, std::int64_t width) {
  switch (kind) {
    case NormKind::rms:
    case NormKind::layer_norm_no_bias:
      return width;
    case NormKind::layer_norm:
      return 2 * width;
    case NormKind::none:
    case NormKind::layer_norm_no_weight:
      return 0;
  }
  return 0;
}

std::int64_t stored_weights(const ModelOp& op) {
  if (const auto* linear = std::get_if<LinearOp>(&op)) {
    return linear_weights(*linear, linear->copies);
  }
  if (const auto* vector = std::get_if<VectorOp>(&op)) {
    return capped_product(vector->width, vector->vectors);
  }
  return 0;
}

std::int64_t active_weights(const ModelOp& op) {
  if (const auto* linear = std::get_if<LinearOp>(&op)) {
    return linear_weights(*linear, linear->active);
  }
  return stored_weights(op);
}

std::int64_t matmul_weights(const ModelOp& op) {
  const auto* linear = std::get_if<LinearOp>(&op);
  return linear == nullptr ? 0 : capped_product(linear->active, capped_product(linear->in, linear->out));
}

}  // namespace mekiki
