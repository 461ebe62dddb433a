// System: what can be rented or bought as one unit, with its links as a graph. A node is `gpus` equal GPUs; a cluster
// is nodes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/enum_names.h"
#include "base/name.h"
#include "base/quantity.h"
#include "hardware/gpu.h"

namespace mekiki {

/// What joins the GPUs of a node. A link kind is a class of machines with one measured behaviour, not a bandwidth.
enum class LinkKind : std::uint8_t { none, nvswitch, nvlink_mesh, nvlink_bridge, xgmi_mesh, pcie };

template <>
struct EnumNames<LinkKind> {
  static constexpr std::array<std::string_view, 6> value = {
      "none", "nvswitch", "nvlink_mesh", "nvlink_bridge", "xgmi_mesh", "pcie"};
};

enum class RdmaKind : std::uint8_t { unknown, none, tcp, efa, infiniband, roce };

template <>
struct EnumNames<RdmaKind> {
  static constexpr std::array<std::string_view, 6> value = {"unknown", "none", "tcp", "efa", "infiniband", "roce"};
};

enum class Answer : std::uint8_t { unknown, no, yes };

template <>
struct EnumNames<Answer> {
  static constexpr std::array<std::string_view, 3> value = {"unknown", "no", "yes"};
};

/// An edge of the graph: every pair inside a group of `group_size` neighbouring GPUs is joined by `kind`. Wider groups
/// come after narrower ones: two bridged pairs on one PCIe tree are {nvlink_bridge, 2} then {pcie, 4}.
struct LinkLevel {
  LinkKind kind = LinkKind::none;
  std::int64_t group_size = 1;
  std::optional<BytesPerSecond> bandwidth_per_gpu;  // one direction; unset: take the GPU's own figure
};

struct System {
  Name id;
  Name provider;
  Name instance;
  Name gpu_id;
  std::int64_t gpus = 1;             // per node
  std::span<const LinkLevel> links;  // narrowest first
  std::int64_t link_domain = 1;      // GPUs that share the fastest link, across nodes where racks do (72 in an NVL72)
  std::optional<std::int64_t> vcpus;
  std::optional<Bytes> host_memory;
  std::optional<Bytes> local_nvme;
  std::optional<BytesPerSecond> network_per_node;  // all NICs together, one direction; unset: unknown
  RdmaKind rdma = RdmaKind::unknown;
  Answer gpudirect = Answer::unknown;
  Name max_cluster_note;
  FactStatus status = FactStatus::from_memory;
  Name source;
  Name notes;
};

/// The link between the GPUs of a group of `group_size` neighbours in one node: the narrowest level that holds them
/// all.
inline LinkLevel link_for_group(const System& system, std::int64_t group_size) {
  for (const LinkLevel& level : system.links) {
    if (group_size <= level.group_size) {
      return level;
    }
  }
  return system.links.empty() ? LinkLevel{} : system.links.back();
}

}  // namespace mekiki
