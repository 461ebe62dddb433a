// The matrix of `nvidia-smi topo -m`: what joins every two devices of a node.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"

namespace mekiki {

/// From best to worst. nvlink: a number of bonded links; pix: one PCIe switch; pxb: several; phb: the host bridge;
/// node: host bridges of one NUMA node; sys: across sockets.
enum class TopologyPath : std::uint8_t { self, nvlink, pix, pxb, phb, node, sys, unknown };

struct DevicePath {
  TopologyPath kind = TopologyPath::unknown;
  std::int64_t links = 0;  // of nvlink
};

struct Topology {
  std::vector<std::string> devices;            // "GPU0", "NIC0", "mlx5_0"; NIC names as in the legend where it is there
  std::vector<std::vector<DevicePath>> paths;  // [device][device]; symmetric, the diagonal is self
  std::vector<std::string> numa;               // of each GPU; empty: not told

  std::size_t gpus() const;  // they come first
};

/// Tabs or blanks, old and new drivers. Errors: invalid_input for a text without a matrix, a row that is cut, a matrix
/// that is not symmetric or whose diagonal is not self.
Result<Topology> read_topology(std::string_view text, std::string_view subject);

}  // namespace mekiki
