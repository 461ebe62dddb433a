// Finds the packed weights among the tensors of a checkpoint (see contents.h for the forms).
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "checkpoint/contents.h"

namespace mekiki {

using TensorsByName = std::map<std::string_view, const CheckpointTensor*>;

/// A recovered weight with the stored tensors that it consists of, the one that holds the weights first.
struct PackedWeight {
  LogicalTensor weight;
  std::vector<const CheckpointTensor*> parts;
};

/// The weight that this tensor holds in packed form; unset: it holds none, or it fits no known form.
std::optional<PackedWeight> unpack(const CheckpointTensor& tensor,
                                   const TensorsByName& tensors,
                                   const QuantizationSettings& settings);

/// Whether the tensor looks like packed weights: integers under the name of a weight.
bool looks_packed(const CheckpointTensor& tensor);

/// Whether the tensor is a scale that belongs to no single weight (of the key-value cache, or of outputs).
bool is_lone_scale(const CheckpointTensor& tensor);

}  // namespace mekiki
