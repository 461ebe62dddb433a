#include "model/arch.h"

#include <algorithm>
#include <utility>

namespace mekiki {

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

Arch truncated(Arch arch, std::int64_t layers) {
  std::vector<LayerGroup> kept;
  std::int64_t left = layers;
  for (const LayerGroup& group : arch.layer_groups) {
    const std::int64_t take = std::min(left, group.count);
    append_layers(kept, take, group.layer);
    left -= take;
  }
  arch.layer_groups = std::move(kept);
  arch.mtp_weights = 0;
  arch.stored_differences.clear();
  return arch;
}

}  // namespace mekiki
