// Residents of a stage: weights, states, gradient and communication buffers, and in which phases and where they live.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "program/lowering_context.h"

namespace mekiki {

/// A short list without storage of its own on the heap: a search makes one for every stage of every layout.
class ResidentList {
 public:
  /// Nothing of 0 bytes is added.
  void add(const Resident& resident);
  std::span<const Resident> all() const { return std::span(items_).first(count_); }

 private:
  std::array<Resident, 24> items_{};
  std::size_t count_ = 0;
};

/// What lives through whole phases on one rank of the stage.
/// Sources: arXiv 1910.02054 (stages of ZeRO), arXiv 2304.11277 section 3 (units of FSDP); which framework does what is
/// in its profile. Not modelled: a second copy of weights while a checkpoint is read, but for quantised weights that
/// FSDP2 cuts on the device.
ResidentList residents_of(const LoweringContext& context, const StageContents& stage);

}  // namespace mekiki
