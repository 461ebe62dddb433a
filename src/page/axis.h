// Axes of a chart: where the marks stand, and what they say.
#pragma once

#include <string>
#include <vector>

#include "base/date.h"

namespace mekiki {

struct Tick {
  double position = 0;  // in the unit of the axis; days since 1970-01-01 for dates
  std::string text;
};

/// From 0 to at least `largest` in steps of 1, 2 or 5 times a power of ten, about `wanted` of them. A largest of 0 is
/// taken as 1.
std::vector<Tick> value_ticks(double largest, int wanted);

/// First days of months, at most `most` of them, from the month of `first` on, between both days; for less than two
/// months the two days themselves.
std::vector<Tick> date_ticks(Date first, Date last, int most);

}  // namespace mekiki
