// A checkpoint set against the tensors that its config.json asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "checkpoint/contents.h"

namespace mekiki {

struct ExpectedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
};

struct ShapeDifference {
  ExpectedTensor expected;
  LogicalTensor found;
};

/// Where the checkpoint puts the model: names that were expected below `expected` lie below `found`. Both end with a
/// dot or are empty.
struct Placement {
  std::string expected;
  std::string found;
  bool operator==(const Placement&) const = default;
};

/// Each list is in the order of names; expected tensors have the names under which they were looked for.
struct CheckpointComparison {
  Placement placement;
  std::size_t equal = 0;
  std::vector<ExpectedTensor> missing;
  std::vector<LogicalTensor> unexpected;
  std::vector<ShapeDifference> other_shape;
  std::vector<LogicalTensor> buffers;  // stored with the weights but computed by the model: rotary tables, masks

  std::int64_t unexpected_elements() const;
};

/// The first expected tensor is the embedding: where it lies under another beginning of the same name ("transformer."
/// left out, a wrapper's "language_model." put before it), all others are looked for there too. A found tensor whose
/// shape is unknown agrees if its count does; two 4-bit values share a byte, so an odd count may be one less.
CheckpointComparison compare(std::span<const ExpectedTensor> expected, std::span<const LogicalTensor> found);

}  // namespace mekiki
