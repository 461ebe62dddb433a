// What surrounds the GPUs: processors, memory, limits of a container, storage, libraries. Unset: not told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace mekiki {

struct MountReading {
  std::string device, mount;
  Bytes size, free;
};

struct HostReadings {
  std::string processor;
  std::optional<std::int64_t> cpus, numa_nodes;
  std::optional<Bytes> memory, memory_free;
  std::optional<Bytes> memory_limit;  // of the container; unset: none, or not told
  std::optional<double> cpu_limit;
  std::vector<MountReading> mounts;  // devices of the machine, not pseudo file systems
  std::string torch, torch_cuda, nccl;
};

/// `lscpu`.
HostReadings with_lscpu(HostReadings host, std::string_view text);

/// /proc/meminfo.
HostReadings with_meminfo(HostReadings host, std::string_view text);

/// memory.max and cpu.max of a control group: a number or "max"; the second also its period.
HostReadings with_memory_limit(HostReadings host, std::string_view text);
HostReadings with_cpu_limit(HostReadings host, std::string_view text);

/// `df -P -B1`.
HostReadings with_mounts(HostReadings host, std::string_view text);

/// Lines "torch 2.8.0", "cuda 12.8", "nccl 2.27.3".
HostReadings with_libraries(HostReadings host, std::string_view text);

}  // namespace mekiki
