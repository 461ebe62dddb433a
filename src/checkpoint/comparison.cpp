#include "checkpoint/comparison.h"

#include <map>
#include <string_view>

namespace mekiki {
namespace {

bool agrees(const ExpectedTensor& expected, const LogicalTensor& found) {
  if (found.shape) {
    return *found.shape == expected.shape;
  }
  std::int64_t elements = 1;
  for (const std::int64_t length : expected.shape) {
    if (__builtin_mul_overflow(elements, length, &elements)) {
      return false;
    }
  }
  return found.elements == elements || found.elements - 1 == elements;
}

}  // namespace

CheckpointComparison compare(std::span<const ExpectedTensor> expected, std::span<const LogicalTensor> found) {
  std::map<std::string_view, const ExpectedTensor*> wanted;
  for (const ExpectedTensor& tensor : expected) {
    wanted.emplace(tensor.name, &tensor);
  }
  std::map<std::string_view, const LogicalTensor*> held;
  for (const LogicalTensor& tensor : found) {
    held.emplace(tensor.name, &tensor);
  }
  CheckpointComparison comparison;
  for (const auto& [name, tensor] : wanted) {
    const auto match = held.find(name);
    if (match == held.end()) {
      comparison.missing.push_back(*tensor);
    } else if (agrees(*tensor, *match->second)) {
      ++comparison.equal;
    } else {
      comparison.other_shape.push_back({*tensor, *match->second});
    }
  }
  for (const auto& [name, tensor] : held) {
    if (!wanted.contains(name)) {
      comparison.unexpected.push_back(*tensor);
    }
  }
  return comparison;
}

}  // namespace mekiki
