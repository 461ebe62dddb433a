#include "program/stage_weights.h"

#include <algorithm>

namespace mekiki {
namespace {

/// The matrix between a narrower embedding (or head) and the width of the model.
double width_projection(const PreparedModel& model) {
  return model.embedding_size == model.hidden_size
             ? 0.0
             : static_cast<double>(model.embedding_size) * static_cast<double>(model.hidden_size);
}

}  // namespace

ElementSplit layer_elements(const PreparedLayer& layer, const ParallelLayout& layout) {
  const LayerElements& e = layer.elements;
  const auto tensor = static_cast<double>(layout.tensor_parallel);
  const auto experts = static_cast<double>(layout.expert_parallel * layout.expert_tensor_parallel);
  return {.dense = e.column_row / tensor + e.replicated + e.decision + e.vector,
          .expert = e.expert / experts,
          .small = e.vector,
          .unquantized = e.decision,
          .adapter = e.adapter_split / tensor + e.adapter_whole + e.adapter_expert / experts};
}

ElementSplit embedding_elements(const PreparedModel& model, double vocabulary_rows) {
  const auto hidden = static_cast<double>(model.hidden_size);
  const double positions = static_cast<double>(model.learned_positions) * hidden;
  const double norms = (model.embedding_norm ? 1.0 : 0.0) + (model.encoder_norm ? 1.0 : 0.0);
  const double norm = norms * static_cast<double>(norm_weights(model.final_norm, model.hidden_size));
  const double table = vocabulary_rows * static_cast<double>(model.embedding_size) + width_projection(model);
  const double all = table + positions + norm + model.vision_elements;
  return {.dense = all,
          .small = positions + norm,
          .unquantized = table + model.vision_elements,
          .adapter = model.prompt_elements};
}

ElementSplit head_elements(const PreparedModel& model, double vocabulary_rows, bool shares_embedding) {
  const double norm = static_cast<double>(norm_weights(model.final_norm, model.hidden_size)) +
                      (model.head_bias ? vocabulary_rows : 0.0);
  const double matrix = shares_embedding ? 0.0 : vocabulary_rows * static_cast<double>(model.embedding_size);
  const double table = matrix + width_projection(model);
  return {.dense = table + norm, .small = norm, .unquantized = table};
}

}  // namespace mekiki
