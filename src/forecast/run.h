// Run: a whole training run as wall time, with the interruptions and saves that it will see.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/estimate.h"
#include "base/quantity.h"
#include "forecast/checkpoint.h"
#include "forecast/draws.h"
#include "forecast/rules.h"

namespace mekiki {

struct RunInputs {
  double tokens = 0;           // of the whole job
  Band tokens_band;            // of that number, where it follows from a size of text
  double tokens_per_step = 0;  // over all ranks
  Estimate<Seconds> step_time;
  std::int64_t gpus = 1;
  std::int64_t nodes = 1;      // machines that are rented one by one
  bool interruptible = false;  // spot: the owner takes machines back
  Bytes checkpoint;
  std::optional<Seconds> save_interval;  // unset: the best one
};

struct Run {
  std::int64_t steps = 0;
  Seconds work;      // steps x step time, mid
  Seconds expected;  // mean wall time at mid values
  Seconds p50, p90;  // over the bands of step time, tokens and interruption rate, and the chance of interruptions
  std::int64_t saves = 1;
  Seconds save_interval;  // work between two saves
  Seconds save_time;      // of one
  Seconds restart_time;   // mid: restart and reading the checkpoint
  Estimate<PerSecond> interruption_rate;
  double interruptions = 0;    // mean number at mid values
  std::vector<Seconds> drawn;  // wall time of each draw, in their order
};

/// Interruptions of all causes on this many GPUs: eight of them with their host fail at the rate of a node.
Estimate<PerSecond> interruption_rate(const RunInputs& inputs, const ForecastRules& rules);

/// Unset: interruptions come so fast that the run in effect never ends (kMostSlowdown). `draws` must not be empty.
/// p50 and p90 per draw: work + saves + k x (restart + half a stretch), k by the inverse distribution of the number of
/// interruptions until the work is done (negative binomial), so that a higher rate never gives an earlier end. Closed
/// form and draws are tested against each other. Not modelled: waiting for capacity, evaluation pauses, slow nodes.
std::optional<Run> forecast_run(const RunInputs& inputs, const ForecastRules& rules, std::span<const Draw> draws);

}  // namespace mekiki
