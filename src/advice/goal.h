// Which method serves a goal, and what to mind with it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "advice/advice.h"
#include "base/enum_names.h"
#include "job/job.h"

namespace mekiki {

enum class Goal : std::uint8_t { knowledge, style, instruction };
template <>
struct EnumNames<Goal> {
  static constexpr std::array<std::string_view, 3> value = {"knowledge", "style", "instruction"};
};

/// New knowledge, a domain or a language asks for continued pretraining; style and instructions for fine-tuning,
/// adapters first.
Method method_for(Goal goal);
bool serves(Goal goal, Method method);

/// goal_served, or goal_missed with the method that would serve; forgetting, where full fine-tuning
/// overwrites old skills (advise_base_model says it of continued pretraining, whatever the goal).
std::vector<Advice> advise_goal(Goal goal, Method method);

}  // namespace mekiki
