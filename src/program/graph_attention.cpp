#include <algorithm>

#include "program/layer_graph_builder.h"

namespace mekiki {
namespace {

/// Documents packed into one sequence see only themselves where the kernel knows their bounds; as long as the sequence
/// elsewhere. Source: Dao-AILab/flash-attention flash_attn_varlen_func (cu_seqlens).
double attended_by_packed(const ResolvedJob& job) {
  const bool knows_bounds = job.attention != AttentionKernel::eager && job.attention != AttentionKernel::sdpa;
  if (job.lengths != Lengths::packed || job.length_quantiles.empty() || !knows_bounds) {
    return static_cast<double>(job.sequence_length);
  }
  return attended_length(job.length_quantiles, job.sequence_length);
}

}  // namespace

void LayerGraphBuilder::query_key_norm(Chain& chain, const VectorOp& vector) {
  // Queries first, keys second: the order of the block's ops.
  const auto which = static_cast<std::size_t>(chain.normed_projections++);
  if (which >= chain.pending.size()) {
    return;
  }
  const ValueId x = chain.pending[which];
  const Value input = graph_.value(x);
  const double elements = input.bytes / bytes_per_element(input.dtype);
  const ValueId y = graph_.add_value(vector.name, input.bytes, input.dtype);
  Node node{.name = vector.name,
            .forward = MemoryWork{2.0 * input.bytes},
            .backward = {Work{MemoryWork{3.0 * input.bytes}}},
            .inputs = {x},
            .output = y};
  keep_for_norm({NormKind::rms, elements, elements / static_cast<double>(vector.width) * block_ranks_}, x, node);
  graph_.add_node(node);
  chain.pending[which] = y;
}

ValueId LayerGraphBuilder::copied(Name op, Name result, ValueId from, Bytes size, Dtype dtype) {
  const ValueId y = graph_.add_value(result, size, dtype);
  graph_.add_node({.name = op,
                   .forward = MemoryWork{2.0 * size},
                   .backward = {Work{MemoryWork{2.0 * size}}},
                   .inputs = {from},
                   .output = y});
  return y;
}

ValueId LayerGraphBuilder::rotated(ValueId x, double width) {
  const Dtype dtype = graph_.value(x).dtype;
  return copied("rope", "rotated", x, bytes(tokens_ * width, dtype), dtype);
}

void LayerGraphBuilder::rotate(const AttentionCoreOp& core, Chain& chain) {
  if (chain.pending.size() == 1) {
    // Queries and keys come out of the rotation as new tensors; values stay a view of the whole fused projection.
    const ValueId fused = chain.pending[0];
    const double heads = on_this_rank(core.heads);
    const double kv_heads = on_this_rank(core.kv_heads);
    chain.pending.clear();
    chain.pending.push_back(rotated(fused, heads * static_cast<double>(core.qk_dim)));
    chain.pending.push_back(rotated(fused, kv_heads * static_cast<double>(core.qk_dim)));
    chain.pending.push_back(fused);
    return;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(2, chain.pending.size()); ++i) {
    const Value input = graph_.value(chain.pending[i]);
    chain.pending[i] = rotated(chain.pending[i], input.bytes / bytes_per_element(input.dtype) / tokens_);
  }
}

void LayerGraphBuilder::copy_keys_and_values(const AttentionCoreOp& core, Chain& chain) {
  const Dtype compute = job_.dtypes.compute;
  const bool eager = job_.attention == AttentionKernel::eager;
  const bool repeats = (memory_.repeats_kv || eager) && core.kv_heads < core.heads;
  if (chain.pending.size() != 3 || !(repeats || eager)) {
    return;
  }
  const double heads = on_this_rank(core.heads);
  for (std::size_t i = 1; i < 3; ++i) {
    const double width = heads * static_cast<double>(i == 1 ? core.qk_dim : core.v_dim);
    const Bytes size = bytes(tokens_ * width, compute);
    // Products of single ops want their operands in one piece, which a view of a fused projection is not.
    if (!repeats && !(graph_.value(chain.pending[i]).bytes > size)) {
      continue;
    }
    chain.pending[i] = copied("repeat_kv", "repeated_kv", chain.pending[i], size, compute);
  }
}

ValueId LayerGraphBuilder::attention(const AttentionCoreOp& core, Chain& chain, bool rotary) {
  const Dtype compute = job_.dtypes.compute;
  const double heads = on_this_rank(core.heads);
  if (rotary) {
    rotate(core, chain);
  }
  if (core.shared_rope_dim > 0) {
    join_rotated_part(core, chain);
  }
  for (std::size_t i = 0; i < chain.pending.size(); ++i) {
    chain.pending[i] = cast_for_product(chain.pending[i]);
  }
  copy_keys_and_values(core, chain);
  keep_fused_projection(chain);
  const ValueId out =
      graph_.add_value("attention_output", bytes(tokens_ * heads * static_cast<double>(core.v_dim), compute), compute);
  graph_.value(out).policy_keeps = memory_.selective_policy == "every_second_matmul";
  Node node{.name = "attention", .output = out};
  node.policy_recomputes = memory_.selective_policy == kAttentionCore;
  for (std::size_t i = 0; i < chain.pending.size() && i < 3; ++i) {
    node.inputs[i] = chain.pending[i];
    node.saves[i] = chain.pending[i];
  }
  const double sequences = c_.micro_batch_size;
  const double attended = attended_by_packed(job_);
  const AttentionWork work{
      .batch = sequences * static_cast<double>(job_.sequence_length) / attended,
      .heads = heads,
      .sequence_length = attended,
      .qk_dim = static_cast<double>(core.qk_dim),
      .v_dim = static_cast<double>(core.v_dim),
      .sliding_window = static_cast<double>(core.keys_chosen > 0 ? core.keys_chosen : core.sliding_window),
      .context_parallel = static_cast<double>(c_.layout.context_parallel),
      .kernel = job_.attention,
      .causal = causal_ && core.causal};
  node.forward = work;
  node.backward[0] = work;
  const double scores = sequences * heads * static_cast<double>(job_.sequence_length) *
                        static_cast<double>(job_.sequence_length) / static_cast<double>(c_.layout.context_parallel);
  const bool eager = job_.attention == AttentionKernel::eager;
  if (eager) {
    // The softmax result in fp32 and its 16-bit copy stay; the raw scores pass by. In fp32 the two are one.
    const double score_bytes = compute == Dtype::fp32 ? 4.0 : memory_.eager_score_bytes;
    const ValueId probabilities = side_value(kScores, scores * score_bytes / 2.0, Dtype::bf16, chain.pending[0]);
    node.saves[3] = probabilities;
    node.forward_temporary = bytes(scores, compute);
    node.backward_temporary = bytes(scores, Dtype::fp32);
  } else {
    node.saves[3] = out;
    node.saves[4] = side_value("attention_statistics", tokens_ * heads, Dtype::fp32, chain.pending[0]);
    graph_.value(node.saves[4]).policy_keeps = graph_.value(out).policy_keeps;
  }
  graph_.add_node(node);
  if (c_.layout.context_parallel > 1 && job_.context_exchange == ContextExchange::ring) {
    exchange_keys_and_values(core, heads);
  } else if (c_.layout.context_parallel > 1) {
    exchange_heads(core, heads);
  }
  chain.pending.clear();
  const bool heads_first = core.joins_rotary || (memory_.joins_rotary && rotary);
  return heads_first && !eager && !job_.compile ? in_token_order(out) : out;
}

void LayerGraphBuilder::keep_fused_projection(const Chain& chain) {
  if (memory_.projections != ProjectionLayout::fused || projected_.size() != 3 || chain.pending.size() != 3 ||
      chain.pending[2] != projected_[2]) {
    return;
  }
  graph_.add_node({.name = "split_projection", .saves = {projected_[0], projected_[1]}});
}

ValueId LayerGraphBuilder::in_token_order(ValueId out) {
  const Value heads_first = graph_.value(out);
  return copied("reorder_heads", "attention_output", out, heads_first.bytes, heads_first.dtype);
}

void LayerGraphBuilder::join_rotated_part(const AttentionCoreOp& core, Chain& chain) {
  const Dtype compute = job_.dtypes.compute;
  const double heads = on_this_rank(core.heads);
  const Bytes size = bytes(tokens_ * heads * static_cast<double>(core.qk_dim), compute);
  const ValueId values = chain.pending[1];
  for (std::size_t i = 0; i < 2; ++i) {
    chain.pending[i] = copied("join_rotated", i == 0 ? "query_states" : "key_states", chain.pending[i], size, compute);
  }
  chain.pending.push_back(values);
}

void LayerGraphBuilder::exchange_keys_and_values(const AttentionCoreOp& core, double heads) {
  const double kv_heads = std::min(heads, on_this_rank(core.kv_heads));
  const double width = kv_heads * static_cast<double>(core.qk_dim + core.v_dim);
  const Bytes whole = bytes(tokens_ * static_cast<double>(c_.layout.context_parallel) * width, job_.dtypes.compute);
  graph_.add_node({.name = "exchange_kv",
                   .forward = CollectiveWork{Collective::all_gather, RankGroup::context, whole},
                   .backward = {Work{CollectiveWork{Collective::reduce_scatter, RankGroup::context, whole}}},
                   .stream = Stream::tensor_communication,
                   .backward_stream = Stream::tensor_communication});
}

void LayerGraphBuilder::exchange_heads(const AttentionCoreOp& core, double heads) {
  // Fewer key-value heads than ranks are copied, so that each rank has one.
  const auto ranks = static_cast<double>(c_.layout.context_parallel);
  const double kv_heads = std::max(ranks, std::min(heads, on_this_rank(core.kv_heads)));
  const auto qk_dim = static_cast<double>(core.qk_dim), v_dim = static_cast<double>(core.v_dim);
  const double width = heads * (qk_dim + v_dim) + kv_heads * (qk_dim + v_dim);  // queries, result, keys, values
  const CollectiveWork work{Collective::all_to_all, RankGroup::context, bytes(tokens_ * width, job_.dtypes.compute)};
  graph_.add_node({.name = "exchange_heads",
                   .forward = work,
                   .backward = {Work{work}},
                   .stream = Stream::tensor_communication,
                   .backward_stream = Stream::tensor_communication});
}

}  // namespace mekiki
