#include "program/layer_graph.h"

#include <cmath>

#include "program/layer_graph_builder.h"

namespace mekiki {

double vocabulary_rows(const GraphContext& context) {
  const auto multiple =
      static_cast<double>(context.profile->memory.vocabulary_multiple * context.layout.tensor_parallel);
  const double padded = std::ceil(static_cast<double>(context.model->vocab_size) / multiple) * multiple;
  return padded / static_cast<double>(context.layout.tensor_parallel);
}

LayerGraph graph_of_layer(const PreparedLayer& layer, const GraphContext& context) {
  return LayerGraphBuilder(context).build(layer);
}

LayerGraph graph_of_embedding(const GraphContext& context) {
  return LayerGraphBuilder(context).build_embedding();
}

LayerGraph graph_of_head(const GraphContext& context) {
  return LayerGraphBuilder(context).build_head();
}

}  // namespace mekiki
