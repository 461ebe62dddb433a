// PredictedSpeed: what the machine of a claim could honestly do with the job, over every framework and layout.
#pragma once

#include <optional>
#include <string>

#include "base/estimate.h"
#include "base/result.h"
#include "memory/report.h"
#include "search/plan.h"

namespace mekiki {

/// GPUs as a claim names them: nodes of one machine.
struct ClaimedMachine {
  const Machine* machine = nullptr;  // with rates
  std::int64_t nodes = 1;
};

struct PredictedSpeed {
  Verdict memory = Verdict::does_not_fit;  // the best over the frameworks
  std::string framework;                   // whose layout that is; where nothing holds, the one that comes nearest
  Bytes device, capacity;                  // of that layout
  std::string saving;                      // job keys without which nothing holds: "offload=everything"; empty: none
  std::optional<Estimate<TokensPerSecond>> rate;  // over all GPUs; low: the slowest framework that holds, high: the
                                                  // fastest, both with their bands; unset where nothing holds
  std::string slowest, fastest;                   // frameworks
};

/// Each framework of the request takes its own fastest layout that holds. A batch that the request leaves open grows to
/// one sequence a GPU. Where nothing holds, it is asked again with what the claim leaves open and saves memory: host
/// memory, 8-bit states, 16-bit training, and all of them. `request` needs arch, job, layout, profiles, rules and
/// threads; its market and filters are not looked at. Errors: those of engines_of and open_choices; unsupported where
/// no layout keeps the rules.
Result<PredictedSpeed> predict_speed(const PlanRequest& request, const ClaimedMachine& claimed);

}  // namespace mekiki
