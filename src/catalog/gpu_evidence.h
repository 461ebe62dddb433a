// How much is known of a GPU, as numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "base/date.h"
#include "catalog/rows/tables.h"

namespace mekiki {

struct GpuEvidence {
  std::int64_t offers = 0;           // undoubted prices that mean this GPU and may be called current on the day
  std::int64_t providers = 0;        // of these
  std::int64_t measured_points = 0;  // of matrix products, attention and collectives on this very GPU
};

/// In the order of the GPUs.
std::vector<GpuEvidence> evidence_of(const Catalog& catalog, const std::vector<const Gpu*>& gpus, Date day);

}  // namespace mekiki
