// Qwen2-VL, Qwen2.5-VL and Qwen3-VL: the text models behind image towers that merge patches.
// Source: transformers Qwen2VLConfig, Qwen2_5_VLConfig, Qwen3VLConfig; totals of published checkpoints
// (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

using ReadText = Result<Arch> (*)(ConfigReader&);

/// The text part under text_config, or flat beside vision_config.
Result<Arch> read_with_tower(ConfigReader& config, ReadText read_text, ReadTower tower) {
  const bool nested = config.has("text_config");
  ConfigReader text = nested ? config.section("text_config") : config;
  Result<Arch> arch = read_text(text);
  if (!arch) {
    return arch;
  }
  if (nested && config.present("tie_word_embeddings")) {
    arch->tie_word_embeddings = config.flag("tie_word_embeddings", false);
  }
  arch->vision = read_tower(config, arch->hidden_size, tower);
  return config.finish(*arch);
}

/// The text classes of both earlier towers know no head_dim.
Result<Arch> read_even_qwen2(ConfigReader& config) {
  refuse_other_head_dim(config);
  return read_qwen2(config);
}

/// The checkpoint holds the matrices of all experts of a layer as one tensor each, gate and up joined.
void stack_experts(Arch& arch) {
  for (LayerGroup& group : arch.layer_groups) {
    for (SubLayer& sub : group.layer.sub_layers) {
      if (auto* moe = std::get_if<MoeFfn>(&sub.block)) {
        moe->fused_gate_up = true;
        moe->places.storage = ExpertStorage::stacked_out_in;
      }
    }
  }
}

}  // namespace

Result<Arch> read_qwen2_vl(ConfigReader& config) {
  return read_with_tower(config, read_even_qwen2, read_merged_patches);
}

Result<Arch> read_qwen2_5_vl(ConfigReader& config) {
  return read_with_tower(config, read_even_qwen2, read_merged_patches_gated);
}

Result<Arch> read_qwen3_vl(ConfigReader& config) {
  Result<Arch> arch = read_with_tower(config, read_qwen3, read_merged_patches_stacked);
  if (arch) {
    arch->names = kTextUnderModel;
  }
  return arch;
}

Result<Arch> read_qwen3_vl_moe(ConfigReader& config) {
  Result<Arch> arch = read_with_tower(config, read_qwen3_moe, read_merged_patches_stacked);
  if (arch) {
    arch->names = kTextUnderModel;
    stack_experts(*arch);
  }
  return arch;
}

}  // namespace mekiki
