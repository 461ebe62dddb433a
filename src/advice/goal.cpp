#include "advice/goal.h"

namespace mekiki {
namespace {

bool trains_on_plain_text(Method method) {
  return method == Method::pretraining || method == Method::continued_pretraining;
}

}  // namespace

Method method_for(Goal goal) {
  return goal == Goal::knowledge ? Method::continued_pretraining : Method::lora;
}

bool serves(Goal goal, Method method) {
  return (goal == Goal::knowledge) == trains_on_plain_text(method);
}

std::vector<Advice> advise_goal(Goal goal, Method method) {
  const bool served = serves(goal, method);
  const Phrase wanted{"goal." + std::string(enum_name(goal))};
  const Phrase asked{"method." + std::string(enum_name(method))};
  const Phrase better{"method." + std::string(enum_name(method_for(goal)))};
  std::vector<Advice> advice;
  if (served) {
    advice.push_back({AdviceId::goal_served, AdviceLevel::note, 0, {{"goal", wanted}, {"method", asked}}});
  } else {
    advice.push_back(
        {AdviceId::goal_missed, AdviceLevel::warning, 0, {{"goal", wanted}, {"method", asked}, {"better", better}}});
  }
  if (method == Method::full) {
    advice.push_back({AdviceId::forgetting, AdviceLevel::note, 0, {{"method", asked}}});
  }
  return advice;
}

}  // namespace mekiki
