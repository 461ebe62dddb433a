// Machine: a system that can be planned with: its GPU, how fast that runs kernels, and its links as time() sees them.
#pragma once

#include <optional>

#include "hardware/gpu.h"
#include "hardware/kernel_rates.h"
#include "hardware/system.h"

namespace mekiki {

struct Machine {
  System system;  // pods are concrete here
  const Gpu* gpu = nullptr;
  std::optional<GpuRates> rates;  // unset: nothing is known of its kernels, so no time can be told
  ClusterView cluster;
};

/// Whether nodes of this system reach each other by a network that somebody vouches for.
inline bool joins_nodes(const System& system) {
  return system.rdma != RdmaKind::unknown && system.rdma != RdmaKind::none;
}

}  // namespace mekiki
