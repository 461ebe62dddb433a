// Price: one dated row of a price book. No price is never zero: a row without one carries a reason instead.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/date.h"
#include "base/enum_names.h"
#include "base/name.h"
#include "base/quantity.h"

namespace mekiki {

enum class PriceKind : std::uint8_t { on_demand, spot, reserved, committed, capacity_block, marketplace };

template <>
struct EnumNames<PriceKind> {
  static constexpr std::array<std::string_view, 6> value = {
      "on_demand", "spot", "reserved", "committed", "capacity_block", "marketplace"};
};

struct Price {
  Name provider;
  Name sku;               // instance or product name, empty where the source gives none
  Name gpu_id;            // of the price book (form may be missing: "h100-80")
  std::int64_t gpus = 1;  // of the purchasable unit
  Name region;
  PriceKind kind = PriceKind::on_demand;
  std::optional<UsdPerSecond> per_unit;  // the whole purchasable unit
  Name currency = "USD";
  Date as_of;
  Name source;
  Name notes;
  bool suspect = false;  // the source or our own check doubts it
};

struct PriceBook {
  Name id;
  std::span<const Price> prices;
};

}  // namespace mekiki
