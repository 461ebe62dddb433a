#include "model/count.h"

#include <algorithm>
#include <cmath>

#include "model/exact_count.h"
#include "model/ops.h"

namespace mekiki {
namespace {

using OpCount = std::int64_t (*)(const ModelOp&);

std::int64_t count_layer(const Layer& layer, std::int64_t hidden_size, OpCount count_op) {
  std::int64_t weights = 0;
  for (const SubLayer& sub_layer : layer.sub_layers) {
    const std::int64_t norms = sub_layer.norms_before + sub_layer.norms_after;
    weights = capped_sum(weights, norms * norm_weights(layer.norm, hidden_size));
    for (const ModelOp& op : ops_of(sub_layer.block, hidden_size)) {
      weights = capped_sum(weights, count_op(op));
    }
  }
  return weights;
}

std::int64_t count_layers(const Arch& arch, OpCount count_op) {
  std::int64_t weights = 0;
  for (const LayerGroup& group : arch.layer_groups) {
    weights = capped_sum(weights, capped_product(group.count, count_layer(group.layer, arch.hidden_size, count_op)));
  }
  return weights;
}

/// Keys that a query sees on average over a causal sequence, and at most.
struct KeysInView {
  double causal;
  double full;
};

KeysInView keys_in_view(const Attention& attention, std::int64_t sequence_length) {
  const auto length = static_cast<double>(sequence_length);
  const std::int64_t bound = attention.sliding_window.value_or(attention.chunk.value_or(sequence_length));
  const auto view = static_cast<double>(std::min(bound, sequence_length));
  if (!attention.chunk) {
    return {view - view * view / (2.0 * length), view};
  }
  const double whole_chunks = std::floor(length / view);
  const double rest = length - whole_chunks * view;
  return {(whole_chunks * view * view + rest * rest) / (2.0 * length), view};
}

template <class Visit>
void for_each_attention(const Arch& arch, Visit visit) {
  for (const LayerGroup& group : arch.layer_groups) {
    for (const SubLayer& sub_layer : group.layer.sub_layers) {
      if (const auto* attention = std::get_if<Attention>(&sub_layer.block)) {
        visit(*attention, static_cast<double>(group.count));
      }
    }
  }
}

double kv_elements(const Attention& attention) {
  return 2.0 * static_cast<double>(attention.kv_heads) * static_cast<double>(attention.head_dim);
}

}  // namespace

std::int64_t layer_weights(const Layer& layer, std::int64_t hidden_size) {
  return count_layer(layer, hidden_size, stored_weights);
}

WeightCounts count_weights(const Arch& arch) {
  const std::int64_t embedding = capped_product(arch.vocab_size, arch.hidden_size);
  const std::int64_t positions = capped_product(arch.learned_positions, arch.hidden_size);
  const std::int64_t norms = (arch.embedding_norm ? 2 : 1) * norm_weights(arch.final_norm, arch.hidden_size);
  const std::int64_t head_bias = arch.head_bias ? arch.vocab_size : 0;
  // One vocabulary matrix is always multiplied with (the head); an untied embedding is a second one, only looked up.
  const std::int64_t outside = capped_sum(embedding, capped_sum(norms, head_bias));
  const std::int64_t looked_up = capped_sum(positions, arch.tie_word_embeddings ? 0 : embedding);

  WeightCounts counts;
  counts.vision = arch.vision ? arch.vision->weights : 0;
  counts.mtp = arch.mtp_weights;
  counts.matmul_per_token = capped_sum(outside, count_layers(arch, active_weights));
  counts.active_per_token = capped_sum(counts.matmul_per_token, looked_up);
  const std::int64_t text = capped_sum(capped_sum(outside, looked_up), count_layers(arch, stored_weights));
  counts.trainable = capped_sum(text, counts.vision);
  counts.stored = capped_sum(counts.trainable, counts.mtp);
  for (const StoredDifference& difference : arch.stored_differences) {
    counts.stored = capped_sum(counts.stored, difference.elements);
  }
  return counts;
}

FlopsPerToken flops_per_token(const Arch& arch, std::int64_t sequence_length) {
  const double weights = 2.0 * static_cast<double>(count_weights(arch).matmul_per_token);
  double causal = weights;
  double full = weights;
  for_each_attention(arch, [&](const Attention& attention, double layers) {
    const KeysInView keys = keys_in_view(attention, sequence_length);
    const double per_key =
        4.0 * layers * static_cast<double>(attention.heads) * static_cast<double>(attention.head_dim);
    causal += per_key * keys.causal;
    full += per_key * keys.full;
  });
  return {Flops{causal}, Flops{full}};
}

Bytes kv_cache_bytes(const Arch& arch, std::int64_t sequence_length, Dtype dtype) {
  Bytes total;
  for_each_attention(arch, [&](const Attention& attention, double layers) {
    const std::int64_t bound = attention.sliding_window.value_or(attention.chunk.value_or(sequence_length));
    const std::int64_t tokens = std::min(sequence_length, bound);
    total += layers * static_cast<double>(tokens) * kv_elements(attention) * bytes_per_element(dtype);
  });
  return total;
}

Bytes kv_cache_bytes_per_token(const Arch& arch, Dtype dtype) {
  return kv_cache_bytes(arch, 1, dtype);
}

}  // namespace mekiki
