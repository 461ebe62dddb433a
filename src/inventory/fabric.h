// Network adapters as `ibstat` lists them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"

namespace mekiki {

struct FabricPort {
  std::string adapter;  // "mlx5_0"
  std::int64_t port = 1;
  std::string state;                   // "Active", "Down", "Initializing"; empty: cut
  std::string physical;                // "LinkUp", "Polling", "Disabled"
  std::string link_layer;              // "InfiniBand" or "Ethernet"
  std::optional<BytesPerSecond> rate;  // one direction

  bool is_up() const { return state == "Active" && physical == "LinkUp"; }
};

struct FabricReadings {
  std::vector<FabricPort> ports;
  std::vector<std::string> faults;  // "ibpanic: ..."
};

FabricReadings read_ibstat(std::string_view text);

}  // namespace mekiki
