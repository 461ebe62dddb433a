// Inventory: what is on a machine, as its own tools say it. A tool that is missing, fails or is cut leaves its part
// unknown with the reason; nothing unread is taken for fine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "inventory/fabric.h"
#include "inventory/host.h"
#include "inventory/nvidia_smi.h"
#include "inventory/nvlink.h"
#include "inventory/topology.h"

namespace mekiki {

enum class InventoryPart : std::uint8_t {
  gpus,
  cuda,
  topology,
  nvlink,
  adapters,
  processor,
  memory,
  memory_limit,
  cpu_limit,
  storage,
  libraries,
  amd
};

template <>
struct EnumNames<InventoryPart> {
  static constexpr std::array<std::string_view, 12> value = {"gpus",
                                                             "cuda",
                                                             "topology",
                                                             "nvlink",
                                                             "adapters",
                                                             "processor",
                                                             "memory",
                                                             "memory_limit",
                                                             "cpu_limit",
                                                             "storage",
                                                             "libraries",
                                                             "amd"};
};

/// Where a part comes from: a command, or a file of the machine. `saved` is the name of its copy in a folder of saved
/// outputs.
struct InventorySource {
  InventoryPart part = InventoryPart::gpus;
  std::string_view saved;
  std::vector<std::string> command;  // empty: a file
  std::string_view path;
};

const std::vector<InventorySource>& inventory_sources();

/// What a source gave. Unset text: nothing, and why.
struct InventoryText {
  InventoryPart part = InventoryPart::gpus;
  std::optional<std::string> text;
  std::string why_not;
};

/// nvidia: at least one GPU answers or is known to be there. amd: the AMD tool lists GPUs, which are counted and not
/// read further. cpu_only: no GPU tool is there. unknown: a tool is there and does not answer.
enum class MachineKind : std::uint8_t { unknown, nvidia, amd, cpu_only };

template <>
struct EnumNames<MachineKind> {
  static constexpr std::array<std::string_view, 4> value = {"unknown", "nvidia", "amd", "cpu_only"};
};

struct UnreadPart {
  InventoryPart part = InventoryPart::gpus;
  std::string reason;
};

struct Inventory {
  MachineKind kind = MachineKind::unknown;
  std::vector<GpuReading> gpus;
  std::string driver;               // empty: not told
  std::optional<std::string> cuda;  // the newest that the driver serves
  std::optional<Topology> topology;
  std::vector<GpuLinks> nvlink;  // empty: not read, or no GPU has links
  std::vector<FabricPort> ports;
  HostReadings host;
  std::int64_t amd_gpus = 0;
  std::vector<UnreadPart> unread;  // in the order of the parts

  /// GPUs that are there, whether they answer or not: the most that any tool lists.
  std::int64_t gpu_count() const;
};

Inventory read_inventory(std::span<const InventoryText> texts);

}  // namespace mekiki
