#include "forecast/wall_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace mekiki {
namespace {

/// Mean wall time, infinite where it leaves the doubles.
double mean_seconds(const SavedWork& w, PerSecond rate) {
  const auto n = static_cast<double>(w.saves);
  if (!(rate > PerSecond{})) {
    return n * (w.stretch() / kSecond);
  }
  const double lambda = rate.base();
  return n * std::exp(rate * w.restart) * std::expm1(rate * w.stretch()) / lambda;
}

}  // namespace

std::optional<Seconds> expected_wall_time(const SavedWork& work, PerSecond rate) {
  MEKIKI_CHECK(work.saves >= 1, "the final save is one");
  const double seconds = mean_seconds(work, rate);
  const Seconds undisturbed = static_cast<double>(work.saves) * work.stretch();
  if (!(seconds <= kMostSlowdown * (undisturbed / kSecond))) {
    return std::nullopt;
  }
  return Seconds{seconds};
}

double expected_interruptions(const SavedWork& work, PerSecond rate) {
  return static_cast<double>(work.saves) * std::expm1(rate * work.stretch());
}

Seconds expected_restart(Seconds restart, PerSecond rate) {
  return rate > PerSecond{} ? Seconds{std::expm1(rate * restart) / rate.base()} : restart;
}

std::int64_t best_saves(const SavedWork& work, PerSecond rate, std::int64_t most) {
  // Least (e^(x + d) - 1) / x over x = rate x (work between saves), d = rate x save, where 1 - x = e^-(x + d).
  const double d = rate * work.save;
  const double whole = rate * work.work;
  if (!(whole > 0)) {
    return 1;
  }
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double x = 0.5 * (low + high);
    (1.0 - x > std::exp(-(x + d)) ? low : high) = x;
  }
  const double ideal = std::clamp(whole / std::max(low, 1e-12), 1.0, static_cast<double>(most));
  SavedWork fewer = work, more = work;
  fewer.saves = std::max<std::int64_t>(1, static_cast<std::int64_t>(ideal));
  more.saves = std::min(most, fewer.saves + 1);
  return mean_seconds(more, rate) < mean_seconds(fewer, rate) ? more.saves : fewer.saves;
}

}  // namespace mekiki
