// What a checkpoint holds: the elements as they are stored, and the weights that they stand for. A quantised checkpoint
// packs several weights into one stored element and puts scales, zero points and tables beside them; the weights are
// recovered from names and shapes alone, without reading any data.
//
// Recognised, P being the name of a linear layer and T that of a weight tensor:
//   gptq           P.qweight I32 [in x bits / 32, out], P.qzeros, P.scales [groups, out], P.g_idx
//   awq            P.qweight I32 [in, out x bits / 32], P.qzeros, P.scales [groups, out]
//   bnb_4bit       P.weight of n / 2 bytes, P.weight.absmax, P.weight.quant_map, P.weight.quant_state.*, nested ones
//   int8           P.weight I8 with P.SCB, or T_scale
//   fp8            T F8 (with T_scale or T_scale_inv, and the input scale, where there are any)
//   mxfp4          T_blocks U8 [experts, out, in / 32, 16] with T_scales; P.weight_packed U8 with P.weight_scale
//   nvfp4          P.weight U8 [out, in / 2] with P.weight_scale and P.weight_scale_2; P.weight_packed U8 [out, in / 2]
//                  with P.weight_scale and P.weight_global_scale
//   packed_int     P.weight_packed I32 [out, in x bits / 32] with P.weight_scale; bits come from config.json
// Not recognised: AQLM, HQQ, EXL2, MLX, torchao and others; a packed tensor that fits no row above is named as such.
// Source: bitsandbytes 95f9af3 functional.py (QuantState.as_dict); the others (linear layers of AutoGPTQ, AutoAWQ,
// compressed-tensors and ModelOpt, MXFP4 experts as published) from memory, unverified.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "checkpoint/checkpoint_index.h"
#include "checkpoint/quantization_settings.h"

namespace mekiki {

enum class Packing : std::uint8_t { plain, gptq, awq, bnb_4bit, int8, fp8, mxfp4, nvfp4, packed_int };

template <>
struct EnumNames<Packing> {
  static constexpr std::array<std::string_view, 9> value = {
      "plain", "gptq", "awq", "bnb_4bit", "int8", "fp8", "mxfp4", "nvfp4", "packed_int"};
};

/// One weight tensor as the unquantised checkpoint would hold it.
struct LogicalTensor {
  std::string name;
  std::optional<std::vector<std::int64_t>> shape;  // unset: only the count is known
  std::int64_t elements = 0;
  Packing packing = Packing::plain;
  StoredDtype dtype = StoredDtype::f32;  // of the elements that hold the weights
  std::uint64_t bytes = 0;               // with its scales and tables
};

struct DtypeTotal {
  StoredDtype dtype = StoredDtype::f32;
  std::int64_t tensors = 0;
  std::int64_t elements = 0;
  std::uint64_t bytes = 0;
};

struct PackingTotal {
  Packing packing = Packing::plain;
  std::int64_t tensors = 0;
  std::int64_t weights = 0;
  std::uint64_t bytes = 0;

  double bits_per_weight() const {
    return weights == 0 ? 0.0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(weights);
  }
};

struct CheckpointContents {
  std::vector<LogicalTensor> weights;     // by name
  std::vector<std::string> scales;        // tensors that only serve another: scales, zero points, tables; by name
  std::vector<std::string> unrecognized;  // packed tensors whose weights cannot be counted; by name
  std::vector<DtypeTotal> by_dtype;       // in the order of StoredDtype
  std::vector<PackingTotal> by_packing;   // in the order of Packing
  std::int64_t stored_elements = 0;       // all tensors
  std::int64_t weight_count = 0;          // of `weights`
  std::int64_t scale_elements = 0;        // of `scales`
  std::uint64_t bytes = 0;                // all tensors
};

/// A tensor that two files hold counts once.
CheckpointContents contents_of(std::span<const CheckpointFile> files, const QuantizationSettings& settings);

}  // namespace mekiki
