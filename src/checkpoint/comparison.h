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

/// Each list is in the order of names.
struct CheckpointComparison {
  std::size_t equal = 0;
  std::vector<ExpectedTensor> missing;
  std::vector<LogicalTensor> unexpected;
  std::vector<ShapeDifference> other_shape;

  bool agrees() const { return missing.empty() && unexpected.empty() && other_shape.empty(); }
};

/// A found tensor whose shape is unknown agrees if its count does; two 4-bit values share a byte, so an odd count may
/// be one less. Names are compared as they stand.
CheckpointComparison compare(std::span<const ExpectedTensor> expected, std::span<const LogicalTensor> found);

}  // namespace mekiki
