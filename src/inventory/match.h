// This machine against the catalogue: the product of its GPUs, the system that is most alike, every difference, and a
// system "here" that plans can be made for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "catalog/rows/storage.h"
#include "catalog/rows/tables.h"
#include "inventory/inventory.h"
#include "inventory/links_here.h"

namespace mekiki {

/// The id of the system made of this machine.
inline constexpr Name kHereId = "here";

enum class DifferenceKey : std::uint8_t {
  gpu_memory,
  gpus,
  links,
  inactive_links,
  network,
  cpus,
  host_memory,
  lost_gpus,
  mig
};

template <>
struct EnumNames<DifferenceKey> {
  static constexpr std::array<std::string_view, 9> value = {
      "gpu_memory", "gpus", "links", "inactive_links", "network", "cpus", "host_memory", "lost_gpus", "mig"};
};

using DifferenceValue = std::variant<std::monostate, std::int64_t, Bytes, BytesPerSecond, std::string>;

struct Difference {
  DifferenceKey key = DifferenceKey::gpus;
  DifferenceValue here, catalogue;  // monostate: unknown
};

struct MachineMatch {
  std::vector<const Gpu*> gpus;     // the products that the GPUs may be; empty: none of the catalogue, or no GPU
  const System* nearest = nullptr;  // null: no system has these GPUs
  std::vector<Difference> differences;
  std::vector<LinkLevel> links;
};

MachineMatch match_machine(const Inventory& inventory, const Catalog& catalog);

/// A catalogue with the system "here", whose GPU shows what the driver shows. Errors: environment where there is no
/// GPU, none answers, or several kinds are mixed; unsupported for a GPU that the catalogue lacks, for AMD GPUs and
/// where MIG cuts the GPUs.
struct HereCatalog {
  RowStorage storage;
  std::vector<Gpu> gpus;
  std::vector<System> systems;
  Catalog catalog;
};

Result<std::shared_ptr<const HereCatalog>> with_machine(const Catalog& base, const Inventory& inventory);

}  // namespace mekiki
