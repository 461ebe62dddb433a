// The update: what happens once per step after the last backward, and over the data-parallel ranks beside it.
#pragma once

#include <optional>

#include "program/lowering_context.h"
#include "program/short_list.h"

namespace mekiki {

struct Update {
  ShortList<StepOp, 12> ops;
  /// What the update needs besides, at its last op on the device.
  std::optional<Tensor> temporary;
};

/// Gathers and reductions that happen once per step, the update of what this rank trains, and the copies of what is
/// offloaded. Copies count as if nothing hid them.
Update update_of(const LoweringContext& context, const StageContents& stage);

}  // namespace mekiki
