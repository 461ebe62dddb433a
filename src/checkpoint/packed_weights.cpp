#include "checkpoint/packed_weights.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace mekiki {
namespace {

using Shape = std::vector<std::int64_t>;

const CheckpointTensor* find(const TensorsByName& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : found->second;
}

/// The name without the ending; unset: it ends otherwise.
std::optional<std::string> stem(std::string_view name, std::string_view ending) {
  return name.ends_with(ending) ? std::optional<std::string>(name.substr(0, name.size() - ending.size()))
                                : std::nullopt;
}

/// length x numerator / denominator where that is whole and countable.
std::optional<std::int64_t> scaled(std::int64_t length, std::int64_t numerator, std::int64_t denominator) {
  std::int64_t product = 0;
  if (denominator <= 0 || __builtin_mul_overflow(length, numerator, &product) || product % denominator != 0) {
    return std::nullopt;
  }
  return product / denominator;
}

std::optional<std::int64_t> product(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(elements, length, &elements)) {
      return std::nullopt;
    }
  }
  return elements;
}

/// Gathers the parts of one weight.
class Gathering {
 public:
  Gathering(const CheckpointTensor& tensor, const TensorsByName& tensors) : tensors_(tensors), parts_{&tensor} {}

  /// Adds the tensor of this name, if there is one.
  const CheckpointTensor* add(const std::string& name) {
    const CheckpointTensor* tensor = find(tensors_, name);
    if (tensor != nullptr) {
      parts_.push_back(tensor);
    }
    return tensor;
  }

  /// Adds all tensors whose names begin so.
  void add_all(const std::string& beginning) {
    for (auto i = tensors_.lower_bound(beginning); i != tensors_.end() && i->first.starts_with(beginning); ++i) {
      parts_.push_back(i->second);
    }
  }

  std::optional<PackedWeight> weight(std::string name, Packing packing, std::optional<Shape> shape) {
    const std::optional<std::int64_t> elements = shape ? product(*shape) : std::nullopt;
    return elements ? counted(std::move(name), packing, std::move(shape), *elements) : std::nullopt;
  }

  std::optional<PackedWeight> counted(std::string name,
                                      Packing packing,
                                      std::optional<Shape> shape,
                                      std::int64_t elements) {
    std::uint64_t bytes = 0;
    for (const CheckpointTensor* part : parts_) {
      bytes += part->bytes();
    }
    return PackedWeight{{std::move(name), std::move(shape), elements, packing, parts_.front()->dtype, bytes}, parts_};
  }

 private:
  const TensorsByName& tensors_;
  std::vector<const CheckpointTensor*> parts_;
};

bool is_matrix(const CheckpointTensor* tensor) {
  return tensor != nullptr && tensor->shape.size() == 2;
}

bool is_width(const std::optional<std::int64_t>& bits) {
  return bits && *bits >= 1 && *bits <= 16;
}

// The scales have one column per output. Equal columns in qweight: it is packed along the inputs; fewer: along the
// outputs. Bits follow from the zero points, which are packed along the outputs in both.
std::optional<PackedWeight> from_qweight(const CheckpointTensor& tensor, const TensorsByName& tensors) {
  const std::optional<std::string> base = stem(tensor.name, ".qweight");
  if (!base || tensor.dtype != StoredDtype::i32 || tensor.shape.size() != 2) {
    return std::nullopt;
  }
  Gathering gathering(tensor, tensors);
  const CheckpointTensor* zeros = gathering.add(*base + ".qzeros");
  const CheckpointTensor* scales = gathering.add(*base + ".scales");
  const CheckpointTensor* group_index = gathering.add(*base + ".g_idx");
  if (!is_matrix(scales)) {
    return std::nullopt;
  }
  const std::int64_t out = scales->shape[1];
  if (tensor.shape[1] != out) {
    const std::optional<std::int64_t> bits = scaled(tensor.shape[1], 32, out);
    return is_width(bits) ? gathering.weight(*base + ".weight", Packing::awq, Shape{out, tensor.shape[0]})
                          : std::nullopt;
  }
  std::optional<std::int64_t> bits;
  if (group_index != nullptr) {
    bits = scaled(tensor.shape[0], 32, group_index->elements);
  } else if (is_matrix(zeros)) {
    bits = scaled(zeros->shape[1], 32, out);
  }
  const std::optional<std::int64_t> in = is_width(bits) ? scaled(tensor.shape[0], 32, *bits) : std::nullopt;
  return in ? gathering.weight(*base + ".weight", Packing::gptq, Shape{out, *in}) : std::nullopt;
}

std::optional<PackedWeight> from_blocks(const CheckpointTensor& tensor, const TensorsByName& tensors) {
  const std::optional<std::string> base = stem(tensor.name, "_blocks");
  Gathering gathering(tensor, tensors);
  if (!base || tensor.dtype != StoredDtype::u8 || tensor.shape.size() != 4 ||
      gathering.add(*base + "_scales") == nullptr) {
    return std::nullopt;
  }
  // Blocks run along the inputs and come last; the weight itself has the inputs first.
  const std::optional<std::int64_t> values = scaled(tensor.shape[3], 2, 1);
  const std::optional<std::int64_t> in = values ? scaled(tensor.shape[2], *values, 1) : std::nullopt;
  return in ? gathering.weight(*base, Packing::mxfp4, Shape{tensor.shape[0], *in, tensor.shape[1]}) : std::nullopt;
}

std::optional<PackedWeight> from_packed(const CheckpointTensor& tensor,
                                        const TensorsByName& tensors,
                                        const QuantizationSettings& settings) {
  const std::optional<std::string> base = stem(tensor.name, ".weight_packed");
  Gathering gathering(tensor, tensors);
  if (!base || tensor.shape.empty() || gathering.add(*base + ".weight_scale") == nullptr) {
    return std::nullopt;
  }
  const bool has_global_scale = gathering.add(*base + ".weight_global_scale") != nullptr;
  for (const char* ending : {".input_global_scale", ".weight_shape", ".weight_zero_point", ".weight_g_idx"}) {
    gathering.add(*base + ending);
  }
  Shape shape = tensor.shape;
  std::optional<std::int64_t> in;
  Packing packing = Packing::packed_int;
  if (tensor.dtype == StoredDtype::u8) {
    packing = has_global_scale ? Packing::nvfp4 : Packing::mxfp4;
    in = scaled(shape.back(), 2, 1);
  } else if (tensor.dtype == StoredDtype::i32 && settings.bits) {
    in = scaled(shape.back(), 32, *settings.bits);
  }
  if (!in) {
    return std::nullopt;
  }
  shape.back() = *in;
  return gathering.weight(*base + ".weight", packing, std::move(shape));
}

std::optional<PackedWeight> from_4bit_blocks(const CheckpointTensor& tensor, const TensorsByName& tensors) {
  if (find(tensors, tensor.name + ".absmax") == nullptr || find(tensors, tensor.name + ".quant_map") == nullptr) {
    return std::nullopt;
  }
  Gathering gathering(tensor, tensors);
  gathering.add_all(tensor.name + ".");
  const std::optional<std::int64_t> elements = scaled(static_cast<std::int64_t>(tensor.bytes()), 2, 1);
  return elements ? gathering.counted(tensor.name, Packing::bnb_4bit, std::nullopt, *elements) : std::nullopt;
}

/// Forms that keep the tensor's own name and put scales beside it.
std::optional<PackedWeight> from_scaled(const CheckpointTensor& tensor, const TensorsByName& tensors) {
  const bool is_fp8 = is_float8(tensor.dtype);
  const bool is_int8 = tensor.dtype == StoredDtype::i8;
  const bool is_pair = tensor.dtype == StoredDtype::u8;  // two 4-bit values per byte
  if (!is_fp8 && !is_int8 && !is_pair) {
    return std::nullopt;
  }
  Gathering gathering(tensor, tensors);
  bool has_scale = gathering.add(tensor.name + "_scale") != nullptr;
  has_scale = gathering.add(tensor.name + "_scale_inv") != nullptr || has_scale;
  const bool has_second_scale = gathering.add(tensor.name + "_scale_2") != nullptr;
  gathering.add(tensor.name + "_zero_point");
  gathering.add(tensor.name + "_input_scale");
  if (const std::optional<std::string> base = stem(tensor.name, ".weight")) {
    has_scale = gathering.add(*base + ".SCB") != nullptr || has_scale;
    for (const char* ending : {".weight_format", ".input_scale", ".input_zero_point", ".activation_scale"}) {
      gathering.add(*base + ending);
    }
  }
  if (is_fp8 || (is_int8 && has_scale)) {
    return gathering.weight(tensor.name, is_fp8 ? Packing::fp8 : Packing::int8, tensor.shape);
  }
  if (!is_pair || !has_scale || !has_second_scale || tensor.shape.empty()) {
    return std::nullopt;
  }
  Shape shape = tensor.shape;
  const std::optional<std::int64_t> in = scaled(shape.back(), 2, 1);
  shape.back() = in.value_or(0);
  return in ? gathering.weight(tensor.name, Packing::nvfp4, std::move(shape)) : std::nullopt;
}

}  // namespace

std::optional<PackedWeight> unpack(const CheckpointTensor& tensor,
                                   const TensorsByName& tensors,
                                   const QuantizationSettings& settings) {
  std::optional<PackedWeight> weight = from_qweight(tensor, tensors);
  weight = weight ? weight : from_blocks(tensor, tensors);
  weight = weight ? weight : from_packed(tensor, tensors, settings);
  weight = weight ? weight : from_4bit_blocks(tensor, tensors);
  return weight ? weight : from_scaled(tensor, tensors);
}

bool looks_packed(const CheckpointTensor& tensor) {
  const bool is_integer = tensor.dtype == StoredDtype::i32 || tensor.dtype == StoredDtype::u32 ||
                          tensor.dtype == StoredDtype::u8 || tensor.dtype == StoredDtype::i8 ||
                          tensor.dtype == StoredDtype::i16 || tensor.dtype == StoredDtype::f4;
  constexpr std::array kEndings = {"weight", "qweight", "weight_packed", "_blocks", "W_q", "codes"};
  return is_integer && std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
           return tensor.name.ends_with(ending);
         });
}

bool is_lone_scale(const CheckpointTensor& tensor) {
  constexpr std::array kEndings = {
      ".k_scale", ".v_scale", ".q_scale", ".kv_scale", ".prob_scale", ".output_scale", ".kv_cache_scale"};
  return std::any_of(
      kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return tensor.name.ends_with(ending); });
}

}  // namespace mekiki
