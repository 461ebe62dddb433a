// The links between the GPUs of a node, out of its matrix and the state of its NVLinks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hardware/system.h"
#include "inventory/inventory.h"

namespace mekiki {

struct LinksHere {
  std::vector<LinkLevel> levels;  // narrowest first, as in a System; empty for one GPU
  std::int64_t inactive = 0;      // NVLinks that a tool lists as down
  bool unreadable = false;        // several GPUs and no matrix: PCIe is assumed
};

/// Groups that NVLink joins: pairs are bridges; a wider group is a mesh where no GPU has more links than it could have
/// of its own, else a switch. All GPUs are joined by PCIe at least. Where links are down, a level's bandwidth is the
/// share of the GPU's own figure that is up; where all are, NVLink is not there.
LinksHere links_here(const Inventory& inventory, const Gpu& gpu);

}  // namespace mekiki
