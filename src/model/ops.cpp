#include "model/ops.h"

#include "model/exact_count.h"
#include "model/mixer_ops.h"

namespace mekiki {
namespace {

void append_projections(std::vector<ModelOp>& ops, const Attention& attention, std::int64_t hidden_size) {
  const AttentionNames& names = attention.names;
  const bool doubled = attention.output_gate && names.gate.empty();
  const std::int64_t query = attention.heads * attention.head_dim * (doubled ? 2 : 1);
  const std::int64_t key = attention.kv_heads * attention.head_dim;
  const bool bias = attention.qkv_bias;
  if (attention.fused_qkv) {
    ops.emplace_back(LinearOp{names.fused, hidden_size, query + 2 * key, bias, LinearSplit::column});
    return;
  }
  ops.emplace_back(LinearOp{names.query, hidden_size, query, bias, LinearSplit::column});
  ops.emplace_back(LinearOp{names.key, hidden_size, key, bias, LinearSplit::column});
  if (!attention.value_is_key) {
    ops.emplace_back(LinearOp{names.value, hidden_size, key, bias, LinearSplit::column});
  }
}

void append_qk_norms(std::vector<ModelOp>& ops, const Attention& attention) {
  if (attention.qk_norm == Attention::QkNorm::none) {
    return;
  }
  const bool full = attention.qk_norm == Attention::QkNorm::full;
  const std::int64_t query = (full ? attention.heads : 1) * attention.head_dim;
  const std::int64_t key = (full ? attention.kv_heads : 1) * attention.head_dim;
  const std::int64_t vectors = attention.qk_norm_bias ? 2 : 1;
  ops.emplace_back(VectorOp{attention.names.query_norm, query, vectors, VectorOp::Role::qk_norm});
  ops.emplace_back(VectorOp{attention.names.key_norm, key, vectors, VectorOp::Role::qk_norm});
}

std::vector<ModelOp> ops_of_block(const Attention& attention, std::int64_t hidden_size) {
  const std::int64_t width = attention.heads * attention.head_dim;
  const bool gate_apart = attention.output_gate && !attention.names.gate.empty();
  std::vector<ModelOp> ops;
  append_projections(ops, attention, hidden_size);
  if (gate_apart) {
    ops.emplace_back(LinearOp{.name = attention.names.gate,
                              .in = hidden_size,
                              .out = width,
                              .split = LinearSplit::column,
                              .input = OpInput::gate});
  }
  append_qk_norms(ops, attention);
  if (attention.sinks) {
    ops.emplace_back(VectorOp{"sinks", attention.heads, 1, VectorOp::Role::parameter});
  }
  if (attention.relative_positions > 0) {
    ops.emplace_back(VectorOp{
        "relative_attention_bias.weight", attention.relative_positions, attention.heads, VectorOp::Role::parameter});
  }
  ops.emplace_back(AttentionCoreOp{.heads = attention.heads,
                                   .kv_heads = attention.kv_heads,
                                   .qk_dim = attention.head_dim,
                                   .v_dim = attention.head_dim,
                                   .sliding_window = attention.sliding_window.value_or(0),
                                   .causal = !attention.cross,
                                   .joins_rotary = attention.joins_rotary});
  if (gate_apart) {
    ops.emplace_back(GateOp{Activation::silu, width});
  }
  ops.emplace_back(LinearOp{attention.names.output, width, hidden_size, attention.output_bias, LinearSplit::row});
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
  LinearOp like = {};  // place, copies, active and input of the products
};

void append_ffn(std::vector<ModelOp>& ops, const FfnShape& shape, const FfnNames& names) {
  const bool expert = is_expert(shape.like.split);
  const auto product = [&](Name name, std::int64_t in, std::int64_t out, LinearSplit split) {
    LinearOp linear = shape.like;
    linear.name = name;
    linear.in = in;
    linear.out = out;
    linear.bias = shape.bias;
    linear.split = split;
    return linear;
  };
  const auto inward = [&](Name name, std::int64_t width) {
    return product(name, shape.hidden_size, width, expert ? LinearSplit::expert_column : LinearSplit::column);
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
    ops.emplace_back(VectorOp{"act_fn.alpha_n", 1, 1, VectorOp::Role::parameter});
    ops.emplace_back(VectorOp{"act_fn.alpha_p", 1, 1, VectorOp::Role::parameter});
  }
  ops.emplace_back(ActivationOp{shape.activation, shape.width, shape.gated, shape.like.active});
  ops.emplace_back(
      product(names.down, shape.width, shape.hidden_size, expert ? LinearSplit::expert_row : LinearSplit::row));
}

std::vector<ModelOp> ops_of_block(const DenseFfn& ffn, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  append_ffn(
      ops, {hidden_size, ffn.intermediate_size, ffn.gated, ffn.bias, ffn.fused_gate_up, ffn.activation}, ffn.names);
  return ops;
}

void append_router(std::vector<ModelOp>& ops, const MoeFfn& moe, std::int64_t hidden_size) {
  if (moe.router_scale) {
    ops.emplace_back(VectorOp{"router.scale", hidden_size, 1, VectorOp::Role::parameter});
    ops.emplace_back(VectorOp{"router.per_expert_scale", moe.experts, 1, VectorOp::Role::parameter});
  }
  ops.emplace_back(LinearOp{.name = moe.router_name,
                            .in = hidden_size,
                            .out = moe.experts,
                            .bias = moe.router_bias,
                            .input = OpInput::aside,
                            .decides = true});
  if (moe.correction_bias) {
    const bool row = moe.places.correction_as_row;
    ops.emplace_back(
        VectorOp{moe.places.correction_bias, row ? 1 : moe.experts, row ? moe.experts : 1, VectorOp::Role::buffer});
  }
}

void append_shared_expert(std::vector<ModelOp>& ops, const MoeFfn& moe, std::int64_t hidden_size) {
  append_ffn(ops,
             {hidden_size,
              moe.shared_intermediate_size,
              moe.gated,
              false,
              moe.fused_gate_up && !moe.places.shared_apart,
              moe.activation,
              {.place = moe.places.shared}},
             moe.places.shared_apart ? FfnNames{} : moe.names);
  if (moe.shared_gate) {
    ops.emplace_back(LinearOp{
        .name = moe.places.shared_gate, .in = hidden_size, .out = 1, .input = OpInput::aside, .decides = true});
  }
}

std::vector<ModelOp> ops_of_block(const MoeFfn& moe, std::int64_t hidden_size) {
  std::vector<ModelOp> ops;
  append_router(ops, moe, hidden_size);
  const bool latent = moe.latent_size > 0;
  const std::int64_t width = latent ? moe.latent_size : hidden_size;
  if (latent) {
    ops.emplace_back(LinearOp{.name = "fc1_latent_proj", .in = hidden_size, .out = width});
  }
  append_ffn(ops,
             {width,
              moe.intermediate_size,
              moe.gated,
              moe.expert_bias,
              moe.fused_gate_up,
              moe.activation,
              {.split = LinearSplit::expert_column,
               .copies = moe.experts,
               .active = moe.experts_per_token,
               .place = moe.places.experts,
               .input = latent ? OpInput::last : OpInput::block}},
             moe.names);
  if (latent) {
    ops.emplace_back(LinearOp{.name = "fc2_latent_proj", .in = width, .out = hidden_size, .input = OpInput::output});
  }
  if (moe.shared_intermediate_size > 0) {
    append_shared_expert(ops, moe, hidden_size);
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
  if (const auto* convolution = std::get_if<ConvolutionOp>(&op)) {
    return capped_product(convolution->width, convolution->kernel + (convolution->bias ? 1 : 0));
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
