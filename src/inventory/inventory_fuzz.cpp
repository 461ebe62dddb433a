// Outputs of a machine's tools. The first byte chooses the tool, the rest is its text; a second tool starts after a
// NUL.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "catalog/catalog.h"
#include "inventory/match.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mekiki;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t kParts = EnumNames<InventoryPart>::value.size();
  std::vector<InventoryText> texts;
  while (!input.empty() && texts.size() < kParts) {
    const std::string_view piece = input.substr(0, input.find('\0'));
    if (!piece.empty()) {
      const auto part = static_cast<InventoryPart>(static_cast<unsigned char>(piece.front()) % kParts);
      texts.push_back({part, std::string(piece.substr(1)), {}});
    }
    input.remove_prefix(std::min(piece.size() + 1, input.size()));
  }
  const Inventory inventory = read_inventory(texts);
  const MachineMatch match = match_machine(inventory, bundled_catalog());
  MEKIKI_CHECK(match.nearest == nullptr || !match.gpus.empty(), "a system is near by its GPU");
  const auto here = with_machine(bundled_catalog(), inventory);
  MEKIKI_CHECK(here || !here.error().message.empty(), "every refusal has a reason");
  return 0;
}
