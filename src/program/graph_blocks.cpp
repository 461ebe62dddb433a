#include <algorithm>
#include <cmath>

#include "program/layer_graph_builder.h"

namespace mekiki {

LayerGraph LayerGraphBuilder::build(const PreparedLayer& layer) {
  causal_ = layer.causal;
  wide_norm_ = layer.wide_norm;
  offset_norm_ = layer.offset_norm;
  const ValueId layer_input =
      graph_.add_input("layer_input", bytes(outer_tokens_ * hidden_, residual_dtype()), residual_dtype());
  ValueId residual = layer_input;
  ValueId shared_norm = kNoValue;  // parallel blocks may read one norm
  for (const PreparedBlock& block : layer.blocks) {
    const ValueId source = layer.parallel_residual ? layer_input : residual;
    const bool shares = layer.parallel_residual && block.norms_before == 0 && shared_norm != kNoValue;
    const ValueId normed = shares ? shared_norm : norm(source, layer.norm, block.norms_before);
    shared_norm = normed;
    ValueId out = block_output(block, normed);
    for (int i = 0; i < block.norms_after; ++i) {
      out = norm(out, layer.norm, 1);
    }
    residual = add_to_residual(residual, out);
  }
  if (memory_.selective_policy == kAttentionCore) {
    keep_all_but_scores();
  }
  return std::move(graph_);
}

void LayerGraphBuilder::keep_all_but_scores() {
  for (const Node& node : graph_.nodes()) {
    for (const ValueId saved : node.saves) {
      if (saved != kNoValue) {
        Value& value = graph_.value(saved);
        value.policy_keeps = value.name != kScores;
      }
    }
  }
}

ValueId LayerGraphBuilder::block_output(const PreparedBlock& block, ValueId normed) {
  const bool routed = std::any_of(block.ops.begin(), block.ops.end(), [](const PreparedOp& op) {
    const auto* linear = std::get_if<LinearOp>(&op.op);
    return linear != nullptr && is_expert(linear->split);
  });
  const bool tokens_stay_split = routed && c_.layout.expert_tensor_parallel == 1;
  const ValueId input = tokens_stay_split ? normed : gathered(normed);
  // Where tokens stay split, a shared expert works on this rank's tokens with its whole width: the same products,
  // otherwise cut.
  block_ranks_ = tokens_stay_split && c_.layout.sequence_parallel ? 1.0 : tensor_ranks_;
  Chain chain{.source = input};
  BlockResult result;
  enter_attention(block);
  for (const PreparedOp& prepared : block.ops) {
    if (const auto* linear = std::get_if<LinearOp>(&prepared.op)) {
      product(*linear, prepared.lora_target, input, chain, result);
    } else if (const auto* core = std::get_if<AttentionCoreOp>(&prepared.op)) {
      chain.source = attention(*core, chain, block.rotary);
      chain.after_core = true;
    } else if (const auto* activation = std::get_if<ActivationOp>(&prepared.op)) {
      chain.source = activated(*activation, chain);
      chain.after_core = true;
    } else if (const auto* vector = std::get_if<VectorOp>(&prepared.op)) {
      inner_norm(chain, *vector);
    } else {
      recurrent_op(prepared.op, chain);
    }
  }
  block_ranks_ = tensor_ranks_;
  return result.partial ? reduced(result.output) : result.output;
}

void LayerGraphBuilder::enter_attention(const PreparedBlock& block) {
  projected_.clear();
  attends_ = false;
  int projections = 0, adapted = 0;
  for (const PreparedOp& prepared : block.ops) {
    if (const auto* core = std::get_if<AttentionCoreOp>(&prepared.op)) {
      attends_ = core->shared_rope_dim == 0;
      break;
    }
    const auto* linear = std::get_if<LinearOp>(&prepared.op);
    if (linear != nullptr && linear->input == OpInput::block) {
      ++projections;
      adapted += prepared.lora_target ? 1 : 0;
    }
  }
  adapts_some_projections_ = adapted > 0 && adapted < projections;
}

void LayerGraphBuilder::product(
    const LinearOp& linear, bool adapted, ValueId input, Chain& chain, BlockResult& result) {
  in_projection_ = attends_ && !chain.after_core && linear.input == OpInput::block;
  if (linear.input == OpInput::output) {
    result.output = linear_layer(linear, adapted, result.output);
    return;
  }
  if (linear.input == OpInput::aside) {
    linear_layer(linear, adapted, input);
    return;
  }
  if (chain.after_core) {
    const ValueId v = linear_layer(linear, adapted, chain.source);
    result.partial = result.partial || (linear.split == LinearSplit::row && block_ranks_ > 1);
    const ValueId term = is_expert(linear.split) ? combined_experts(v, linear.out) : v;
    result.output = result.output == kNoValue ? term : summed(result.output, term);
    chain = {.source = input};
    return;
  }
  switch (linear.input) {
    case OpInput::first:
      chain.pending.push_back(linear_layer(linear, adapted, chain.pending[0]));
      break;
    case OpInput::gate:
      chain.gate = linear_layer(linear, adapted, input);
      break;
    case OpInput::last:
      if (!is_expert(linear.split)) {
        chain.pending.back() = linear_layer(linear, adapted, chain.pending.back());
        break;
      }
      chain.pending.push_back(linear_layer(linear, adapted, routed_source(linear, chain, chain.pending[0])));
      break;
    default:
      chain.pending.push_back(linear_layer(linear, adapted, routed_source(linear, chain, input)));
      if (in_projection_) {
        projected_.push_back(chain.pending.back());
      }
  }
}

void LayerGraphBuilder::inner_norm(Chain& chain, const VectorOp& vector) {
  switch (vector.role) {
    case VectorOp::Role::qk_norm:
      query_key_norm(chain, vector);
      break;
    case VectorOp::Role::latent_norm:
      chain.pending.back() = narrow_norm(vector, chain.pending.back(), tokens_ * static_cast<double>(vector.width));
      break;
    case VectorOp::Role::output_norm: {
      const Value source = graph_.value(chain.source);
      chain.source = narrow_norm(vector, chain.source, source.bytes / bytes_per_element(source.dtype));
      break;
    }
    default:
      break;  // too small to be worth a kernel of its own
  }
}

ValueId LayerGraphBuilder::narrow_norm(const VectorOp& vector, ValueId x, double elements) {
  const Dtype compute = job_.dtypes.compute;
  const ValueId y = graph_.add_value(vector.name, bytes(elements, compute), compute);
  const Bytes traffic = graph_.value(y).bytes;
  Node node{.name = vector.name,
            .forward = MemoryWork{2.0 * traffic},
            .backward = {Work{MemoryWork{3.0 * traffic}}},
            .inputs = {x},
            .output = y};
  keep_for_norm({NormKind::rms, elements, elements / static_cast<double>(vector.width)}, x, node);
  graph_.add_node(node);
  return y;
}

ValueId LayerGraphBuilder::summed(ValueId a, ValueId b) {
  const Value left = graph_.value(a);
  const ValueId sum = graph_.add_value("block_sum", left.bytes, left.dtype);
  graph_.add_node({.name = "add",
                   .forward = MemoryWork{3.0 * left.bytes},
                   .backward = {Work{MemoryWork{left.bytes}}},
                   .inputs = {a, b},
                   .output = sum});
  return sum;
}

/// Tokens on their way to the experts of other ranks; results come back the same way.
CollectiveWork LayerGraphBuilder::expert_exchange(Bytes size, std::int64_t copies) const {
  CollectiveWork work{Collective::all_to_all, RankGroup::expert, size};
  if (job_.expert_dispatch == ExpertDispatch::once_per_node) {
    work.copies = static_cast<float>(copies);
    work.most_nodes = static_cast<std::int16_t>(c_.model->expert_groups_per_token);
  }
  return work;
}

ValueId LayerGraphBuilder::routed_source(const LinearOp& linear, Chain& chain, ValueId input) {
  if (!is_expert(linear.split) || chain.after_core) {
    return input;
  }
  if (!chain.dispatched) {
    const Value in = graph_.value(input);
    // The step waits for the rank whose experts get most; without a split every rank computes all of them.
    const double imbalance = c_.layout.expert_parallel > 1 ? job_.expert_imbalance : 1.0;
    const Bytes size = in.bytes * static_cast<double>(linear.active) * imbalance;
    const ValueId y = graph_.add_value("dispatched_tokens", size, in.dtype);
    Node node{.name = "dispatch",
              .forward = MemoryWork{2.0 * size},
              .backward = {Work{MemoryWork{2.0 * size}}},
              .inputs = {input},
              .output = y};
    if (c_.layout.expert_parallel > 1) {
      exchange_ = expert_exchange(size, linear.active);
      node.forward = exchange_;
      node.backward[1] = exchange_;
      node.stream = node.backward_stream = Stream::tensor_communication;
    }
    graph_.add_node(node);
    chain.dispatched = true;
    chain.source = y;
    dispatch_size_ = size;
  }
  return chain.source;
}

ValueId LayerGraphBuilder::combined_experts(ValueId experts, std::int64_t width) {
  const Value in = graph_.value(experts);
  const double elements = outer_tokens_ * static_cast<double>(width);
  const bool widens = memory_.combines_experts_wide && in.dtype != Dtype::fp32;
  const double expert_elements = in.bytes / bytes_per_element(in.dtype);
  const ValueId kept = widens ? side_value("expert_output_fp32", expert_elements, Dtype::fp32, experts) : experts;
  const ValueId y = graph_.add_value("combined_experts", bytes(elements, in.dtype), in.dtype);
  Node node{.name = "combine",
            .forward = MemoryWork{2.0 * dispatch_size_},
            .backward = {Work{MemoryWork{2.0 * dispatch_size_}}},
            .inputs = {experts},
            .saves = {kept},
            .output = y};
  if (c_.layout.expert_parallel > 1) {
    node.forward = exchange_;
    node.backward[1] = exchange_;
    node.stream = node.backward_stream = Stream::tensor_communication;
  }
  graph_.add_node(node);
  return y;
}

ValueId LayerGraphBuilder::activated(const ActivationOp& activation, Chain& chain) {
  const std::size_t projections = activation.gated && chain.pending.size() >= 2 ? 2 : 1;
  const ValueId last = chain.pending.back();
  const Value up = graph_.value(last);
  const bool one_fused_projection = activation.gated && chain.pending.size() == 1;
  const Bytes width = one_fused_projection ? up.bytes / 2.0 : up.bytes;
  const Dtype result = up.dtype;
  const ValueId out = graph_.add_value("activation_output", width, result);
  Node node{.name = "activation", .inputs = {last}, .saves = {last}, .output = out};
  const double traffic = activation.gated ? 3.0 : 2.0;
  node.forward = MemoryWork{traffic * width};
  node.backward[0] = MemoryWork{(traffic + 2.0) * width};
  if (projections == 2) {
    node.inputs[1] = node.saves[1] = chain.pending[chain.pending.size() - 2];
  }
  if (activation.gated && memory_.keeps_activated_gate && !fused_) {
    node.saves[2] = side_value("activated_gate", width / bytes_per_element(result), result, last);
  }
  graph_.add_node(node);
  chain.pending.clear();
  return out;
}

}  // namespace mekiki
