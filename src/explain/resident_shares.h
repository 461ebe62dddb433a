// A resident of a stage as the shares of its layers, its embedding and its head.
#pragma once

#include <vector>

#include "explain/live_tensors.h"

namespace mekiki {

/// What a stage is made of: equal layers with their number, the embedding, the head, each with its weights on one rank
/// before sharding.
struct StageUnit {
  StagePart part = StagePart::layer;
  std::int16_t layer_kind = -1;
  double count = 1;
  ElementSplit elements;
};
std::vector<StageUnit> stage_units(const Subject& subject, const StageProgram& stage);

/// Weights, gradients, states and master weights share by share; any other resident whole. The shares add up to the
/// resident.
std::vector<LiveItem> resident_shares(const Subject& subject, const StageProgram& stage, const Resident& resident);

}  // namespace mekiki
