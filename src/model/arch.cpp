#include "model/arch.h"

#include <algorithm>
#include <utility>

namespace mekiki {

bool same_shape(const Arch& a, const Arch& b) {
  return a.hidden_size == b.hidden_size && a.vocab_size == b.vocab_size && a.learned_positions == b.learned_positions &&
         a.tie_word_embeddings == b.tie_word_embeddings && a.head_bias == b.head_bias &&
         a.logit_soft_cap == b.logit_soft_cap && a.final_norm == b.final_norm && a.embedding_norm == b.embedding_norm &&
         a.encoder_norm == b.encoder_norm && a.embedding_size == b.embedding_size && a.layer_groups == b.layer_groups &&
         a.vision == b.vision && a.mtp_weights == b.mtp_weights && a.mtp_layers == b.mtp_layers;
}

void append_layers(std::vector<LayerGroup>& groups, std::int64_t count, const Layer& layer) {
  if (count <= 0) {
    return;
  }
  if (!groups.empty() && groups.back().layer == layer) {
    groups.back().count += count;
  } else {
    groups.push_back({count, layer});
  }
}

const MoeFfn* experts_of(const Arch& arch) {
  for (const LayerGroup& group : arch.layer_groups) {
    for (const SubLayer& sub : group.layer.sub_layers) {
      if (const auto* moe = std::get_if<MoeFfn>(&sub.block)) {
        return moe;
      }
    }
  }
  return nullptr;
}

Arch truncated(Arch arch, std::int64_t layers) {
  std::vector<LayerGroup> kept;
  std::int64_t left = layers;
  for (const LayerGroup& group : arch.layer_groups) {
    const std::int64_t take = std::min(left, group.count);
    append_layers(kept, take, group.layer);
    left -= take;
  }
  arch.layer_groups = std::move(kept);
  arch.mtp_layers.clear();
  arch.mtp_weights = 0;
  arch.stored_differences.clear();
  return arch;
}

}  // namespace mekiki
