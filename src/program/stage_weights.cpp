#include "program/stage_weights.h"

#include <algorithm>

namespace mekiki {

ElementSplit layer_elements(const PreparedLayer& layer, const ParallelLayout& layout) {
  const LayerElements& e = layer.elements;
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  const auto experts = static_cast<double>(layout.expert_parallel * layout.expert_tensor_parallel);
  return {.dense = e.column_row / tensor + e.replicated + e.vector,
          .expert = e.expert / experts,
          .small = e.vector,
          .unquantized = e.replicated,
          .adapter = e.adapter_split / tensor + e.adapter_whole + e.adapter_expert / experts};
}

ElementSplit embedding_elements(const PreparedModel& model, double vocabulary_rows) {
  const auto hidden = static_cast<double>(model.hidden_size);
  const double positions = static_cast<double>(model.learned_positions) * hidden;
  const double norm =
      model.embedding_norm ? static_cast<double>(norm_weights(model.final_norm, model.hidden_size)) : 0.0;
  const double table = vocabulary_rows * hidden;
  const double all = table + positions + norm + model.vision_elements;
  return {.dense = all, .small = positions + norm, .unquantized = table + model.vision_elements};
}

ElementSplit head_elements(const PreparedModel& model, double vocabulary_rows, bool shares_embedding) {
  const auto hidden = static_cast<double>(model.hidden_size);
  const double norm = static_cast<double>(norm_weights(model.final_norm, model.hidden_size)) +
                      (model.head_bias ? vocabulary_rows : 0.0);
  const double table = shares_embedding ? 0.0 : vocabulary_rows * hidden;
  return {.dense = table + norm, .small = norm, .unquantized = table};
}

}  // namespace mekiki
