// The state of NVLink as `nvidia-smi nvlink -s` prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace mekiki {

struct GpuLinks {
  std::int64_t index = 0;
  std::vector<std::optional<BytesPerSecond>> links;  // one direction each; unset: inactive
  bool all_inactive = false;                         // the driver says so instead of a list

  std::int64_t active() const;
  BytesPerSecond bandwidth() const;  // of the active ones together, one direction
};

/// GPUs without lines below them have no links. An empty text has no GPUs.
std::vector<GpuLinks> read_nvlink(std::string_view text);

}  // namespace mekiki
