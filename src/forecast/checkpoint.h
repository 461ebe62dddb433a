// What a checkpoint holds, in bytes.
#pragma once

#include <cstdint>

#include "base/quantity.h"
#include "job/defaults.h"
#include "program/prepared_model.h"

namespace mekiki {

struct CheckpointSize {
  std::int64_t trained = 0;  // weights in it: the whole model, or the adapters
  Bytes resume;              // all that a run needs to go on
  Bytes delivered;           // what the user takes away: the trained weights in the compute dtype
};

/// resume = trained weights x (weight as stored + fp32 master copy, if any + optimizer states): 14 bytes for 16-bit
/// weights with fp32 master weights and moments, 12 for fp32 weights with fp32 moments or for 16-bit weights without a
/// master copy and both moments beside a 16-bit copy. Adapters alone for lora and qlora: the base model is at hand
/// already. Not modelled: random states, data position, padding (below 1 %). `total_weights` is the model's own count.
CheckpointSize checkpoint_size(const PreparedModel& model, const ResolvedJob& job, std::int64_t total_weights);

}  // namespace mekiki
