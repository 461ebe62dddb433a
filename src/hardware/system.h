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
#include "base/result.h"
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

/// The GPU of a System that takes any type its provider rents (a pod on some host).
inline constexpr Name kAnyGpu = "*";

struct System {
  Name id;
  Name provider;  // id of a Provider
  Name instance;
  Name gpu_id;                       // or kAnyGpu
  std::int64_t gpus = 1;             // per node
  std::int64_t gpus_max = 1;         // above `gpus`: any number between the two can be had
  std::span<const LinkLevel> links;  // narrowest first
  std::int64_t link_domain = 1;      // GPUs that share the fastest link, across nodes where racks do (72 in an NVL72)
  std::optional<std::int64_t> vcpus;
  std::optional<Bytes> host_memory;
  std::optional<Bytes> local_nvme;
  std::optional<BytesPerSecond> network_per_node;  // all NICs together, one direction; unset: unknown
  std::optional<BytesPerSecond>
      network_per_gpu;  // share of one GPU in the fabric for GPU traffic (front-end NICs left out)
  RdmaKind rdma = RdmaKind::unknown;
  Answer gpudirect = Answer::unknown;
  Name max_cluster_note;
  /// Of the network: looked up, or from memory. `derived`: the links between GPUs follow from the form of the GPU.
  FactStatus status = FactStatus::from_memory;
  Name from_memory;  // keys of the row whose value nobody has looked up, comma separated
  Name source;
  Name notes;
};

/// A pod that must be made concrete before it can be planned with.
inline bool is_pod(const System& system) {
  return system.gpu_id == kAnyGpu;
}

/// A pod made concrete: this many GPUs of this kind in one host. The links of its host are not known before it is
/// rented, so several GPUs count on PCIe alone. Errors: unsupported where the pod does not offer that number,
/// invalid_input where the system is no pod. `gpu_id` must outlive the result.
Result<System> pod_of(const System& pod, Name gpu_id, std::int64_t gpus);

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
