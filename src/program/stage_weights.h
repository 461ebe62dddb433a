// What one rank of a stage stores and trains, in elements after partitioning.
#pragma once

#include "job/defaults.h"
#include "layout/layout.h"
#include "program/prepared_model.h"

namespace mekiki {

struct ElementSplit {
  double dense = 0;        // shared by all data-parallel ranks
  double expert = 0;       // shared by the expert data-parallel ranks only
  double small = 0;        // norms, biases, learned positions: part of dense, never quantized
  double unquantized = 0;  // embedding and head: part of dense
  double adapter = 0;

  double total() const { return dense + expert; }
};

/// One layer of this kind on one rank, before sharding.
ElementSplit layer_elements(const PreparedLayer& layer, const ParallelLayout& layout);

/// Embedding (with learned positions, its norm and a vision tower), where the stage has it.
ElementSplit embedding_elements(const PreparedModel& model, double vocabulary_rows);

/// Output head with the final norm; a tied head on the embedding's own stage adds only the norm.
ElementSplit head_elements(const PreparedModel& model, double vocabulary_rows, bool shares_embedding);

}  // namespace mekiki
