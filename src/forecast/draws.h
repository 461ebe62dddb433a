// CommonDraws: the random numbers that every plan is forecast with. One fixed set for all of them, so that two plans
// differ by what they are and never by luck.
#pragma once

#include <cstddef>
#include <vector>

#include "base/estimate.h"

namespace mekiki {

struct Draw {
  double step_time = 0;             // standard normal
  double rate = 0;                  // standard normal
  double interruptions = 0;         // in (0, 1)
  double interruptions_normal = 0;  // the same point as a standard normal
  double price = 0;                 // standard normal
  double tokens = 0;                // standard normal
};

/// The first `count` points of the additive recurrence of Roberts (2018) in four dimensions, which fill the cube more
/// evenly than independent numbers do; `tokens` is a fifth coordinate by the square root of two, which no sum of the
/// other steps is a multiple of.
std::vector<Draw> common_draws(std::size_t count = 512);

/// The standard normal quantile of `probability` in (0, 1), to 1e-12.
double normal_quantile(double probability);

/// mid x e^(normal x spread), with the spread of each side such that low and high are the 10 and 90 % points.
double scaled_by_band(double low, double mid, double high, double normal);

}  // namespace mekiki
