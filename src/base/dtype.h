// Number formats of tensors and of arithmetic.
#pragma once

#include <array>
#include <cstdint>

#include "base/enum_names.h"
#include "base/quantity.h"

namespace mekiki {

enum class Dtype : std::uint8_t { fp32, tf32, bf16, fp16, fp8, mxfp8, nvfp4, int8, nf4, boolean };

template <>
struct EnumNames<Dtype> {
  static constexpr std::array<std::string_view, 10> value = {
      "fp32", "tf32", "bf16", "fp16", "fp8", "mxfp8", "nvfp4", "int8", "nf4", "boolean"};
};

/// Storage of one element without scales or block constants (those are counted where the format is chosen).
constexpr Bytes bytes_per_element(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
    case Dtype::tf32:
      return Bytes{4.0};
    case Dtype::bf16:
    case Dtype::fp16:
      return Bytes{2.0};
    case Dtype::fp8:
    case Dtype::mxfp8:
    case Dtype::int8:
    case Dtype::boolean:
      return Bytes{1.0};
    case Dtype::nvfp4:
    case Dtype::nf4:
      return Bytes{0.5};
  }
  return Bytes{4.0};
}

}  // namespace mekiki
