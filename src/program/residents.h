// Residents of a stage: weights, states, gradient and communication buffers, and in which phases and where they live.
#pragma once

#include "program/lowering_context.h"
#include "program/short_list.h"

namespace mekiki {

using ResidentList = ShortList<Resident, 24>;

/// What lives through whole phases on one rank of the stage.
/// Sources: arXiv 1910.02054 (stages of ZeRO), arXiv 2304.11277 section 3 (units of FSDP); which framework does what is
/// in its profile. Not modelled: a second copy of weights while a checkpoint is read, but for quantised weights that
/// FSDP2 cuts on the device.
ResidentList residents_of(const LoweringContext& context, const StageContents& stage);

}  // namespace mekiki
