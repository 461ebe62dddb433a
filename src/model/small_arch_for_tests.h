// Small models for tests: dimensions that a person can multiply in the head, every block kind once.
#pragma once

#include <cstdint>

#include "model/arch.h"

namespace mekiki::for_tests {

inline Arch dense_arch(std::int64_t layers = 4) {
  Layer layer;
  layer.sub_layers = {{Attention{.heads = 8, .kv_heads = 4, .head_dim = 16}}, {DenseFfn{.intermediate_size = 256}}};
  Arch arch{.id = "dense", .family = "test", .hidden_size = 128, .vocab_size = 1000, .max_position_embeddings = 4096};
  arch.layer_groups = {{layers, layer}};
  return arch;
}

inline Arch moe_arch(std::int64_t layers = 4) {
  Arch arch = dense_arch(layers);
  arch.id = "moe";
  arch.layer_groups[0].layer.sub_layers[1].block =
      MoeFfn{.experts = 8, .experts_per_token = 2, .intermediate_size = 64, .shared_intermediate_size = 64};
  return arch;
}

/// Two kinds of layers in turns: the case that a timeline of runs must get right.
inline Arch mixed_arch() {
  Arch arch = dense_arch(2);
  arch.id = "mixed";
  LayerGroup wide = arch.layer_groups[0];
  std::get<DenseFfn>(wide.layer.sub_layers[1].block).intermediate_size = 512;
  wide.count = 3;
  arch.layer_groups = {arch.layer_groups[0], wide, arch.layer_groups[0]};
  arch.tie_word_embeddings = true;
  return arch;
}

}  // namespace mekiki::for_tests
