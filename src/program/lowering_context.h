// LoweringContext: what the parts of one lowering share, and StageContents: what one rank of a pipeline stage has.
#pragma once

#include <cstdint>
#include <span>

#include "job/defaults.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "program/prepared_model.h"
#include "program/sharding.h"
#include "program/stage_weights.h"
#include "program/step_program.h"
#include "program/units.h"

namespace mekiki {

struct LoweringContext {
  const PreparedModel& model;
  const ResolvedJob& job;
  const ParallelLayout& layout;
  const Profile& profile;
  const Sharding& sharding;
  const Units& units;
  std::int64_t micro_batches = 1;  // per step and pipeline
};

struct StageContents {
  StageRole role;
  std::span<const LayerRun> layers;
  ElementSplit elements;  // layers, embedding and head
  ElementSplit root;      // embedding and head alone
  double trained_elements = 0;
  double micro_batches_in_flight = 1;
};

/// What layers keep for backward of one micro-batch, but in host memory.
inline Bytes offloaded_activations(const LoweringContext& context, const StageContents& stage) {
  Bytes host;
  for (const LayerRun& run : stage.layers) {
    host += static_cast<double>(run.count) * context.units.offloaded_activations[static_cast<std::size_t>(run.kind)];
  }
  return host;
}

}  // namespace mekiki
