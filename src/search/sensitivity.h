// Which inputs move the cost of the cheapest plan, and whether another plan would be the cheapest at an end of one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/enum_names.h"
#include "search/plan.h"

namespace mekiki {

/// step_time and price are the plan's own, each with its band; the others hold for all plans alike. tokens: of a corpus
/// whose size is known and whose number of tokens is not.
enum class SensitiveInput : std::uint8_t {
  step_time,
  price,
  tokens,
  hardware_failures,
  software_failures,
  spot_losses,
  restart,
  checkpoint_speed,
  engineer_rate,
  engineer_time,
  setup_time,
  kept_checkpoints,
  kept_after_run
};
template <>
struct EnumNames<SensitiveInput> {
  static constexpr std::array<std::string_view, 13> value = {"step_time",
                                                             "price",
                                                             "tokens",
                                                             "hardware_failures",
                                                             "software_failures",
                                                             "spot_losses",
                                                             "restart",
                                                             "checkpoint_speed",
                                                             "engineer_rate",
                                                             "engineer_time",
                                                             "setup_time",
                                                             "kept_checkpoints",
                                                             "kept_after_run"};
};

/// One input from its low to its high value, everything else at mid.
struct Sensitivity {
  SensitiveInput input = SensitiveInput::step_time;
  Usd at_low, at_high;                          // of one checkpoint of the cheapest plan
  std::optional<std::int64_t> cheapest_at_low;  // rank; set where it is another plan
  std::optional<std::int64_t> cheapest_at_high;

  Usd width() const { return at_low < at_high ? at_high - at_low : at_low - at_high; }
  bool changes_choice() const { return cheapest_at_low || cheapest_at_high; }
};

/// Widest first; inputs that move nothing are left out. Empty where no plan fits. Compared are the plans that are next
/// in cost, kCompared at most. Inputs move one at a time: two together may do more.
std::vector<Sensitivity> sensitivity_of(const PlanRequest& request, const PlanSet& set);
inline constexpr std::size_t kCompared = 12;

/// The widest input that changes the choice: its measurement would settle it. Unset: the choice holds over every band.
std::optional<Sensitivity> open_choice(const std::vector<Sensitivity>& rows);

}  // namespace mekiki
