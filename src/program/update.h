// The update: what happens once per step after the last backward, and over the data-parallel ranks beside it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "program/lowering_context.h"

namespace mekiki {

/// A short list of ops without storage of its own on the heap.
class UpdateOps {
 public:
  void add(const StepOp& op);
  std::span<const StepOp> all() const { return std::span(items_).first(count_); }

 private:
  std::array<StepOp, 12> items_{};
  std::size_t count_ = 0;
};

struct Update {
  UpdateOps ops;
  /// What the update needs besides, at its last op on the device.
  std::optional<Tensor> temporary;
};

/// Gathers and reductions that happen once per step, the update of what this rank trains, and the copies of what is
/// offloaded. Copies count as if nothing hid them.
Update update_of(const LoweringContext& context, const StageContents& stage);

}  // namespace mekiki
