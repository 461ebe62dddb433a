// From blocks to graphs: what one rank computes for one layer, for the embedding and for the output head.
#pragma once

#include "job/defaults.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "program/graph.h"
#include "program/prepared_model.h"

namespace mekiki {

/// Everything a graph depends on. Two layouts that agree in it share their graphs.
struct GraphContext {
  const PreparedModel* model = nullptr;
  const ResolvedJob* job = nullptr;
  const Profile* profile = nullptr;
  ParallelLayout layout;
  double micro_batch_size = 1;
  /// Dtype of weight gradients as backward makes them (before any reduction or accumulation).
  Dtype weight_gradient = Dtype::bf16;
  /// Weight gradients are added to an fp32 buffer right after they are made.
  bool adds_to_buffer = false;

  double tokens() const {
    return micro_batch_size * static_cast<double>(job->sequence_length) / static_cast<double>(layout.context_parallel);
  }
  /// Tokens between blocks: split along the tensor-parallel group under sequence parallelism.
  double tokens_between_blocks() const {
    return layout.sequence_parallel ? tokens() / static_cast<double>(layout.tensor_parallel) : tokens();
  }
};

/// Shapes: input and output [tokens_between_blocks, hidden_size].
/// Not modelled: dropout masks of attention and residual (0 in current pretraining), the rotary tables, workspaces of
/// GEMM libraries.
LayerGraph graph_of_layer(const PreparedLayer& layer, const GraphContext& context);

/// Lookup of [tokens] rows; output [tokens_between_blocks, hidden_size].
LayerGraph graph_of_embedding(const GraphContext& context);

/// Final norm, product with [hidden_size, vocab_size / tensor_parallel], cross entropy.
LayerGraph graph_of_head(const GraphContext& context);

/// Vocabulary rows that one tensor-parallel rank holds, padded as the framework pads.
double vocabulary_rows(const GraphContext& context);

}  // namespace mekiki
