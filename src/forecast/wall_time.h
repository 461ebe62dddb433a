// Wall time of a piece of work that is interrupted at random and goes on from its last save.
#pragma once

#include <cstdint>
#include <optional>

#include "base/quantity.h"
#include "forecast/rules.h"

namespace mekiki {

/// `work` cut into `saves` equal stretches, each closed by a save. An interruption loses the stretch so far and costs a
/// restart, which may be interrupted too.
struct SavedWork {
  Seconds work;
  std::int64_t saves = 1;
  Seconds save;     // nothing else runs meanwhile
  Seconds restart;  // from the interruption to the first new step

  Seconds stretch() const { return work / static_cast<double>(saves) + save; }
};

/// Mean wall time with interruptions that arrive as a Poisson process of this rate, during work, saves and restarts:
/// n e^(rate restart) (e^(rate stretch) - 1) / rate. Unset: more than kMostSlowdown times the work, so in effect never.
/// Not modelled: saves that run beside the work, interruptions that come in clusters, spare nodes.
/// Source: Daly 2006, "A higher order estimate of the optimum checkpoint interval for restart dumps". Tested:
/// wall_time_test.cpp against a simulation event by event.
std::optional<Seconds> expected_wall_time(const SavedWork& work, PerSecond rate);
inline constexpr double kMostSlowdown = 100.0;

/// Mean number of interruptions that hit work or saves until all is done: n (e^(rate stretch) - 1).
double expected_interruptions(const SavedWork& work, PerSecond rate);

/// Mean length of a restart that may be interrupted itself: (e^(rate restart) - 1) / rate.
Seconds expected_restart(Seconds restart, PerSecond rate);

/// The number of saves, from 1 to `most`, with the least expected wall time; `work.saves` is ignored. The exact optimum
/// of the formula above, of which sqrt(2 x save / rate) - save is the first approximation (Young 1974, Daly 2006).
std::int64_t best_saves(const SavedWork& work, PerSecond rate, std::int64_t most);

}  // namespace mekiki
