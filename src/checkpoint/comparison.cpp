#include "checkpoint/comparison.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace mekiki {
namespace {

using FoundByName = std::map<std::string_view, const LogicalTensor*>;

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

bool is_buffer(std::string_view name) {
  constexpr std::array kEndings = {".inv_freq", ".attn.bias", ".attention.bias", ".masked_bias", ".position_ids"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

/// "a.b.c.d" is "a.b." and "c.d": the module and its tensor keep their names wherever they lie.
std::pair<std::string_view, std::string_view> split_before_module(std::string_view name) {
  const std::size_t last = name.rfind('.');
  const std::size_t before = last == std::string_view::npos || last == 0 ? last : name.rfind('.', last - 1);
  return before == std::string_view::npos ? std::pair(std::string_view(), name)
                                          : std::pair(name.substr(0, before + 1), name.substr(before + 1));
}

Placement placement_of(const ExpectedTensor& embedding, std::span<const LogicalTensor> found) {
  const auto [beginning, module] = split_before_module(embedding.name);
  Placement placement{std::string(beginning), std::string(beginning)};
  for (const LogicalTensor& tensor : found) {
    if (tensor.name == embedding.name) {
      return {std::string(beginning), std::string(beginning)};
    }
    const auto [other_beginning, other_module] = split_before_module(tensor.name);
    if (other_module == module && agrees(embedding, tensor)) {
      placement.found = std::string(other_beginning);
    }
  }
  return placement;
}

/// The name under which an expected tensor is looked for. One outside the model's module (the output head) may lie
/// below the outermost part of a wrapper.
std::string placed(const std::string& name, const Placement& placement, const FoundByName& found) {
  if (placement.expected == placement.found) {
    return name;
  }
  if (!placement.expected.empty() && name.starts_with(placement.expected)) {
    return placement.found + name.substr(placement.expected.size());
  }
  std::string wrapped = placement.found.substr(0, placement.found.find('.') + 1) + name;
  if (placement.expected.empty()) {
    wrapped = placement.found + name;
  }
  return found.contains(wrapped) ? wrapped : name;
}

}  // namespace

std::int64_t CheckpointComparison::unexpected_elements() const {
  std::int64_t elements = 0;
  for (const LogicalTensor& tensor : unexpected) {
    elements += tensor.elements;
  }
  return elements;
}

CheckpointComparison compare(std::span<const ExpectedTensor> expected, std::span<const LogicalTensor> found) {
  FoundByName held;
  for (const LogicalTensor& tensor : found) {
    held.emplace(tensor.name, &tensor);
  }
  CheckpointComparison comparison;
  if (!expected.empty()) {
    comparison.placement = placement_of(expected.front(), found);
  }
  std::map<std::string, const ExpectedTensor*> wanted;
  for (const ExpectedTensor& tensor : expected) {
    wanted.emplace(placed(tensor.name, comparison.placement, held), &tensor);
  }
  for (const auto& [name, tensor] : wanted) {
    const auto match = held.find(name);
    const ExpectedTensor looked_for{name, tensor->shape};
    if (match == held.end()) {
      comparison.missing.push_back(looked_for);
    } else if (agrees(*tensor, *match->second)) {
      ++comparison.equal;
    } else {
      comparison.other_shape.push_back({looked_for, *match->second});
    }
  }
  for (const auto& [name, tensor] : held) {
    if (!wanted.contains(std::string(name))) {
      (is_buffer(name) ? comparison.buffers : comparison.unexpected).push_back(*tensor);
    }
  }
  return comparison;
}

}  // namespace mekiki
