#include "model/count.h"

#include <algorithm>
#include <cmath>

#include "model/exact_count.h"
#include "model/ops.h"

namespace mekiki {
namespace {

using OpCount = std::int64_t (*)(const ModelOp&);

std::int64_t count_layer(const Layer& layer, std::int64_t hidden_size, OpCount count_op) {
  std::int64_t weights = layer.output_scalar ? 1 : 0;
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

struct MixerFlops {
  double causal = 0;
  double full = 0;
};

MixerFlops attention_flops(const AttentionCoreOp& core, const KeysInView& keys) {
  const double per_key =
      2.0 * static_cast<double>(core.heads) * (static_cast<double>(core.qk_dim) + static_cast<double>(core.v_dim));
  return {per_key * keys.causal, per_key * keys.full};
}

struct FlopsOf {
  std::int64_t sequence_length;
  bool encoder;

  MixerFlops operator()(const Attention& attention, const std::vector<ModelOp>& ops) const {
    KeysInView keys = keys_in_view(attention, sequence_length);
    if (encoder || attention.cross) {
      keys.causal = keys.full;
    }
    return attention_flops(core_of(ops), keys);
  }

  MixerFlops operator()(const LatentAttention& attention, const std::vector<ModelOp>& ops) const {
    Attention view;
    if (attention.indexer) {
      view.sliding_window = attention.indexer->keys_chosen;
    }
    MixerFlops flops = attention_flops(core_of(ops), keys_in_view(view, sequence_length));
    if (attention.indexer && !attention.indexer->reused) {
      const double per_key =
          2.0 * static_cast<double>(attention.indexer->heads) * static_cast<double>(attention.indexer->head_dim);
      const KeysInView all = keys_in_view(Attention{}, sequence_length);
      flops.causal += per_key * all.causal;
      flops.full += per_key * all.full;
    }
    return flops;
  }

  template <class OtherBlock>
  MixerFlops operator()(const OtherBlock&, const std::vector<ModelOp>& ops) const {
    MixerFlops flops;
    for (const ModelOp& op : ops) {
      if (const auto* scan = std::get_if<ScanOp>(&op)) {
        const auto heads = static_cast<double>(scan->heads), key = static_cast<double>(scan->key_dim),
                   value = static_cast<double>(scan->value_dim), chunk = static_cast<double>(scan->chunk);
        const bool products = scan->chunk > 1;
        const double state = (products ? 4.0 : 6.0) * heads * key * value;
        const double within = products ? 2.0 * heads * chunk * (key + value) : 0.0;
        flops.causal += state + 0.5 * within;
        flops.full += state + within;
      }
    }
    return flops;
  }

  static const AttentionCoreOp& core_of(const std::vector<ModelOp>& ops) {
    const auto core = std::find_if(
        ops.begin(), ops.end(), [](const ModelOp& op) { return std::holds_alternative<AttentionCoreOp>(op); });
    return std::get<AttentionCoreOp>(*core);
  }
};

/// Elements that inference keeps of one sequence, in one block.
struct KeptOf {
  std::int64_t sequence_length;

  double operator()(const Attention& attention) const {
    const std::int64_t bound = attention.sliding_window.value_or(attention.chunk.value_or(sequence_length));
    const auto tokens = static_cast<double>(std::min(sequence_length, bound));
    return 2.0 * tokens * static_cast<double>(attention.kv_heads) * static_cast<double>(attention.head_dim);
  }
  double operator()(const LatentAttention& attention) const {
    const std::int64_t indexed = attention.indexer && !attention.indexer->reused ? attention.indexer->head_dim : 0;
    return static_cast<double>(sequence_length) *
           static_cast<double>(attention.kv_lora_rank + attention.qk_rope_head_dim + indexed);
  }
  template <class OtherBlock>
  double operator()(const OtherBlock&) const {
    return 0.0;
  }
};

/// Elements of state, which every length needs alike: of the scan, and the last tokens of the convolution before it.
double state_elements(const std::vector<ModelOp>& ops) {
  double elements = 0;
  for (const ModelOp& op : ops) {
    if (const auto* scan = std::get_if<ScanOp>(&op)) {
      elements +=
          static_cast<double>(scan->heads) * static_cast<double>(scan->key_dim) * static_cast<double>(scan->value_dim);
    } else if (const auto* convolution = std::get_if<ConvolutionOp>(&op)) {
      elements += static_cast<double>(convolution->width) * static_cast<double>(convolution->kernel - 1);
    }
  }
  return elements;
}

template <class Visit>
void for_each_block(const Arch& arch, Visit visit) {
  for (const LayerGroup& group : arch.layer_groups) {
    for (const SubLayer& sub_layer : group.layer.sub_layers) {
      visit(group, sub_layer.block);
    }
  }
}

double kept_per_token(const Arch& arch) {
  double elements = 0;
  for_each_block(arch, [&](const LayerGroup& group, const Block& block) {
    if (!group.layer.encoder) {
      elements += static_cast<double>(group.count) * std::visit(KeptOf{1}, block);
    }
  });
  return elements;
}

/// The matrices between a narrower embedding or head and the width of the model, both directions.
std::int64_t width_projections(const Arch& arch) {
  return arch.embedding_size > 0 ? capped_product(2 * arch.embedding_size, arch.hidden_size) : 0;
}

}  // namespace

std::int64_t layer_weights(const Layer& layer, std::int64_t hidden_size) {
  return count_layer(layer, hidden_size, stored_weights);
}

WeightCounts count_weights(const Arch& arch) {
  const std::int64_t width = arch.embedding_size > 0 ? arch.embedding_size : arch.hidden_size;
  const std::int64_t embedding = capped_product(arch.vocab_size, width);
  const std::int64_t positions = capped_product(arch.learned_positions, arch.hidden_size);
  const std::int64_t norm_count = 1 + (arch.embedding_norm ? 1 : 0) + (arch.encoder_norm ? 1 : 0);
  const std::int64_t norms = norm_count * norm_weights(arch.final_norm, arch.hidden_size);
  const std::int64_t head_bias = arch.head_bias ? arch.vocab_size : 0;
  // One vocabulary matrix is always multiplied with (the head); an untied embedding is a second one, only looked up.
  const std::int64_t outside = capped_sum(capped_sum(embedding, width_projections(arch)), capped_sum(norms, head_bias));
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
    const bool lacks = difference.kind == StoredDifferenceKind::buffers_left_out;
    counts.stored = lacks ? counts.stored - difference.elements : capped_sum(counts.stored, difference.elements);
  }
  return counts;
}

FlopsPerToken flops_per_token(const Arch& arch, std::int64_t sequence_length) {
  const double weights = 2.0 * static_cast<double>(count_weights(arch).matmul_per_token);
  double causal = weights;
  double full = weights;
  for_each_block(arch, [&](const LayerGroup& group, const Block& block) {
    const FlopsOf flops_of{sequence_length, group.layer.encoder};
    const std::vector<ModelOp> ops = ops_of(block, arch.hidden_size);
    const MixerFlops flops = std::visit([&](const auto& b) { return flops_of(b, ops); }, block);
    causal += static_cast<double>(group.count) * flops.causal;
    full += static_cast<double>(group.count) * flops.full;
  });
  return {Flops{causal}, Flops{full}};
}

Bytes kv_cache_bytes(const Arch& arch, std::int64_t sequence_length, Dtype dtype) {
  double elements = 0;
  for_each_block(arch, [&](const LayerGroup& group, const Block& block) {
    if (!group.layer.encoder) {
      elements += static_cast<double>(group.count) *
                  (std::visit(KeptOf{sequence_length}, block) + state_elements(ops_of(block, arch.hidden_size)));
    }
  });
  return elements * bytes_per_element(dtype);
}

Bytes kv_cache_bytes_per_token(const Arch& arch, Dtype dtype) {
  return kept_per_token(arch) * bytes_per_element(dtype);
}

}  // namespace mekiki
