// Measured rates of kernels and collectives, as grids that are looked up in logarithms. Facts, not fits: each comes
// from a table that names its source; what was not measured is not here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/dtype.h"
#include "base/name.h"
#include "base/quantity.h"

namespace mekiki {

/// Share of the dense peak that a matrix product C[m, n] = A[m, k] B[k, n] reached.
struct GemmPoint {
  float log2_m = 0;
  float efficiency = 0;
};

/// All measured m of one (n, k), ascending.
struct GemmColumn {
  float log2_n = 0;
  float log2_k = 0;
  std::span<const GemmPoint> points;
};

struct GemmSurface {
  Name gpu_id;
  Dtype dtype = Dtype::bf16;
  bool block_scaled = false;  // fp8 with a scale per block, against one per tensor
  std::span<const GemmColumn> columns;
  Name source;
};

/// Rate of causal self-attention, forward, counting the lower triangle only; the mean where several shapes with the
/// same key were measured.
struct AttentionPoint {
  float log2_sequence_length = 0;
  float log2_batch_times_heads = 0;
  float tflop_per_second = 0;
};

struct AttentionSurface {
  Name gpu_id;
  std::int64_t head_dim = 0;
  bool grouped = false;                    // fewer key/value heads than query heads
  std::span<const AttentionPoint> points;  // by length, then batch x heads
  Name source;
};

enum class Collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, send_receive };

template <>
struct EnumNames<Collective> {
  static constexpr std::array<std::string_view, 5> value = {
      "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "send_receive"};
};

/// Time of a collective over one node by message size (the full buffer: what all_gather ends with, reduce_scatter
/// starts with).
struct CollectivePoint {
  float log2_bytes = 0;
  float log2_seconds = 0;
};

struct CollectiveCurve {
  Name gpu_id;
  Collective collective = Collective::all_reduce;
  std::int64_t ranks = 0;
  Name library;                             // "nccl 2.29.2"; of several for one key the newest stands first
  std::span<const CollectivePoint> points;  // ascending
  Name source;
};

}  // namespace mekiki
