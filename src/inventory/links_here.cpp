#include "inventory/links_here.h"

#include <algorithm>

namespace mekiki {
namespace {

// The most links that any GPU has had: NVLink 4 and 5 have 18.
constexpr std::int64_t kMostLinks = 18;

// The GPUs that NVLink joins to the first one, itself included; and the links it would need to reach them one by one.
struct NvlinkGroup {
  std::int64_t size = 1;
  std::int64_t links = 0;
};

NvlinkGroup group_of(const Topology& topology, std::size_t gpu) {
  NvlinkGroup group;
  for (std::size_t other = 0; other < topology.gpus(); ++other) {
    const DevicePath& path = topology.paths[gpu][other];
    if (other != gpu && path.kind == TopologyPath::nvlink) {
      ++group.size;
      group.links += path.links;
    }
  }
  return group;
}

LinkKind kind_of(const NvlinkGroup& group) {
  if (group.size == 2) {
    return LinkKind::nvlink_bridge;
  }
  return group.links > kMostLinks ? LinkKind::nvswitch : LinkKind::nvlink_mesh;
}

// Share of the links that are up on the GPU with the fewest; unset: no tool lists them.
std::optional<double> share_up(const Inventory& inventory) {
  std::optional<double> least;
  for (const GpuLinks& gpu : inventory.nvlink) {
    if (gpu.all_inactive) {
      return 0.0;
    }
    if (!gpu.links.empty()) {
      const double share = static_cast<double>(gpu.active()) / static_cast<double>(gpu.links.size());
      least = std::min(least.value_or(1.0), share);
    }
  }
  return least;
}

std::int64_t inactive_links(const Inventory& inventory) {
  std::int64_t inactive = 0;
  for (const GpuLinks& gpu : inventory.nvlink) {
    inactive += gpu.all_inactive ? kMostLinks : static_cast<std::int64_t>(gpu.links.size()) - gpu.active();
  }
  return inactive;
}

}  // namespace

LinksHere links_here(const Inventory& inventory, const Gpu& gpu) {
  LinksHere links{.inactive = inactive_links(inventory)};
  const std::int64_t gpus = inventory.gpu_count();
  if (gpus < 2) {
    return links;
  }
  links.unreadable = !inventory.topology;
  if (inventory.topology && share_up(inventory) != 0.0) {
    NvlinkGroup least{.size = gpus};
    for (std::size_t i = 0; i < inventory.topology->gpus(); ++i) {
      const NvlinkGroup group = group_of(*inventory.topology, i);
      least = group.size <= least.size ? group : least;
    }
    if (least.size > 1) {
      LinkLevel level{.kind = kind_of(least), .group_size = least.size};
      if (const auto share = share_up(inventory); share && *share < 1.0 && gpu.nvlink_bandwidth) {
        level.bandwidth_per_gpu = *gpu.nvlink_bandwidth / 2.0 * *share;
      }
      links.levels.push_back(level);
    }
  }
  if (links.levels.empty() || links.levels.back().group_size < gpus) {
    links.levels.push_back({.kind = LinkKind::pcie, .group_size = gpus});
  }
  return links;
}

}  // namespace mekiki
