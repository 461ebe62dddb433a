// LoRA targets as rows write them ("q,v", "all linear", "model.layers.[\d]+.mlp.(up|down)_proj") to the module names of
// one model's own linear layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/arch.h"
#include "validate/row_reader.h"

namespace mekiki {

/// Names of model/ops.h, or "all-linear"; empty where the text names no layer of this model (noted in the reader as an
/// error). A name that the model has is taken as it stands; other names go through their role (query, gate, ...), so
/// that a fused projection is found by any of its parts. A word for a whole block ("mlp") counts only in a list that
/// names no single matrix. Not modelled: targets in some of the layers only.
std::vector<std::string> lora_targets_of(std::string_view text, const Arch& arch, RowReader& reader);

}  // namespace mekiki
