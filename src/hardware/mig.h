// A GPU cut into instances (MIG): what one instance of it is.
#pragma once

#include <cstdint>

#include "base/enum_names.h"
#include "base/result.h"
#include "hardware/gpu.h"

namespace mekiki {

/// Compute slices of an instance, the digit before the "g" of its name.
enum class MigProfile : std::uint8_t { g1, g2, g3, g4, g7 };
template <>
struct EnumNames<MigProfile> {
  static constexpr std::array<std::string_view, 5> value = {"1g", "2g", "3g", "4g", "7g"};
};

/// The instance as a GPU of its own: its share of memory, bandwidth and multiprocessors, and no link to another one.
/// Where seven instances are the most, compute comes in sevenths and memory in eighths; where four or two are, both in
/// as many parts. Rates follow the slices: seven of them count as the whole, although some GPUs leave a tenth of their
/// multiprocessors out of all slices. Errors: unsupported for a GPU that cannot be cut, or not into such an instance.
/// Source: docs.nvidia.com/datacenter/tesla/mig-user-guide "Supported MIG Profiles". Not modelled: the memory that the
/// driver keeps for each instance, the share of the L2 cache.
Result<Gpu> instance_of(const Gpu& gpu, MigProfile profile);

}  // namespace mekiki
