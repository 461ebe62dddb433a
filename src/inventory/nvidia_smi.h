// What nvidia-smi says of each GPU. Source: the CSV of `nvidia-smi --query-gpu=... --format=csv`, whose columns are
// found by name; units stand in the header or with the values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace mekiki {

/// One GPU as the driver shows it. Unset: the column is not there, or the driver did not say.
struct GpuReading {
  std::int64_t index = 0;
  std::string name;  // empty: the GPU does not answer
  std::string driver;
  std::optional<Bytes> memory_total, memory_used;
  std::optional<bool> mig, ecc;
  std::optional<double> power_limit_w, compute_capability;
  std::optional<std::int64_t> pcie_generation, pcie_width;
};

struct GpuReadings {
  std::vector<GpuReading> gpus;     // by index; of repeated rows the last
  std::vector<std::string> faults;  // lines that are no row: "NVIDIA-SMI has failed ..."
};

/// Never fails: what is no row becomes a fault. A text without header is read by the usual order index, name,
/// memory.total.
GpuReadings read_gpu_query(std::string_view text);

/// "12.4" of the banner of plain `nvidia-smi`; unset: not there.
std::optional<std::string> cuda_version_of(std::string_view text);

}  // namespace mekiki
