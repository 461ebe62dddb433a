// The tensors of a checkpoint: names and shapes as Hugging Face stores them, from the same ops as the counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/arch.h"

namespace mekiki {

struct StoredTensor {
  std::string name;                 // "model.layers.0.self_attn.q_proj.weight"
  std::vector<std::int64_t> shape;  // linear layers [out, in]

  bool operator==(const StoredTensor&) const = default;
};

/// All weights of the text model in module order; an output head that is tied to the embedding is not stored. Left out:
/// the vision tower, MTP modules, and what Arch::stored_differences names.
/// Errors: unsupported where the names of this family were not checked; counts are known all the same.
/// Source: module names of transformers as of 5.24; every known family agrees with a model that transformers itself
/// saved (tests/data/models/tensors).
Result<std::vector<StoredTensor>> tensors_of(const Arch& arch);

/// Capped like every count (model/exact_count.h).
std::int64_t elements_of(std::span<const StoredTensor> tensors);

}  // namespace mekiki
