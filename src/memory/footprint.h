// What a segment does to memory: how much it leaves behind, and how high it rises on the way. The one formula that both
// the walk and the closed form of the search use.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "program/segment.h"
#include "program/step_program.h"

namespace mekiki {

using CategoryBytes = std::array<Bytes, kCategories>;

Bytes total(const CategoryBytes& bytes);

/// Whether gradients born in the segment stay until the optimizer, or join a buffer that is there already.
enum class GradientMode : std::uint8_t { stay, accumulate };

/// Bytes of `tensor` that live while op `op` of its segment runs, less those that lived when the segment started.
Bytes live_at(const Tensor& tensor, GradientMode mode, std::int16_t op);

/// The same when the segment has ended.
Bytes left_behind(const Tensor& tensor, GradientMode mode);

struct Footprint {
  CategoryBytes net{};      // end minus start
  CategoryBytes at_peak{};  // at the highest moment minus start
  Bytes net_total;
  Bytes peak_total;
  Bytes compute_pool_peak, compute_pool_net;  // allocator pools apart
  Bytes communication_pool_peak, communication_pool_net;
  std::int16_t peak_op = 0;
};

/// O(ops + tensors), no allocation. Segments of more than 512 ops are an internal error.
Footprint footprint(const StepProgram& program, const Segment& segment, GradientMode mode);

}  // namespace mekiki
