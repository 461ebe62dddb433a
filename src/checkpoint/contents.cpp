#include "checkpoint/contents.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "checkpoint/packed_weights.h"

namespace mekiki {
namespace {

TensorsByName by_name(std::span<const CheckpointFile> files) {
  TensorsByName tensors;
  for (const CheckpointFile& file : files) {
    for (const CheckpointTensor& tensor : file.header.tensors) {
      tensors.emplace(tensor.name, &tensor);
    }
  }
  return tensors;
}

LogicalTensor as_it_is(const CheckpointTensor& tensor) {
  return {tensor.name, tensor.shape, tensor.elements, Packing::plain, tensor.dtype, tensor.bytes()};
}

std::map<std::string_view, PackedWeight> packed_weights(const TensorsByName& tensors,
                                                        const QuantizationSettings& settings) {
  std::map<std::string_view, PackedWeight> packed;
  for (const auto& [name, tensor] : tensors) {
    if (std::optional<PackedWeight> weight = unpack(*tensor, tensors, settings)) {
      packed.emplace(name, std::move(*weight));
    }
  }
  return packed;
}

std::vector<DtypeTotal> totals_by_dtype(const TensorsByName& tensors) {
  std::array<DtypeTotal, EnumNames<StoredDtype>::value.size()> totals{};
  for (const auto& [name, tensor] : tensors) {
    DtypeTotal& total = totals[static_cast<std::size_t>(tensor->dtype)];
    total = {tensor->dtype, total.tensors + 1, total.elements + tensor->elements, total.bytes + tensor->bytes()};
  }
  std::vector<DtypeTotal> used;
  std::copy_if(totals.begin(), totals.end(), std::back_inserter(used), [](const auto& t) { return t.tensors > 0; });
  return used;
}

std::vector<PackingTotal> totals_by_packing(std::span<const LogicalTensor> weights) {
  std::array<PackingTotal, EnumNames<Packing>::value.size()> totals{};
  for (const LogicalTensor& weight : weights) {
    PackingTotal& total = totals[static_cast<std::size_t>(weight.packing)];
    total = {weight.packing, total.tensors + 1, total.weights + weight.elements, total.bytes + weight.bytes};
  }
  std::vector<PackingTotal> used;
  std::copy_if(totals.begin(), totals.end(), std::back_inserter(used), [](const auto& t) { return t.tensors > 0; });
  return used;
}

}  // namespace

CheckpointContents contents_of(std::span<const CheckpointFile> files, const QuantizationSettings& settings) {
  const TensorsByName tensors = by_name(files);
  std::map<std::string_view, PackedWeight> packed = packed_weights(tensors, settings);
  std::set<std::string_view> serving;
  for (const auto& [name, weight] : packed) {
    std::for_each(weight.parts.begin() + 1, weight.parts.end(), [&](const auto* part) { serving.insert(part->name); });
  }
  CheckpointContents contents;
  for (const auto& [name, tensor] : tensors) {
    contents.stored_elements += tensor->elements;
    contents.bytes += tensor->bytes();
    const auto weight = packed.find(name);
    if (serving.contains(name) || is_lone_scale(*tensor)) {
      contents.scales.emplace_back(name);
      contents.scale_elements += tensor->elements;
    } else if (weight != packed.end()) {
      contents.weights.push_back(std::move(weight->second.weight));
    } else if (looks_packed(*tensor)) {
      contents.unrecognized.emplace_back(name);
    } else {
      contents.weights.push_back(as_it_is(*tensor));
    }
  }
  for (const LogicalTensor& weight : contents.weights) {
    contents.weight_count += weight.elements;
  }
  std::sort(
      contents.weights.begin(), contents.weights.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  contents.by_dtype = totals_by_dtype(tensors);
  contents.by_packing = totals_by_packing(contents.weights);
  return contents;
}

}  // namespace mekiki
