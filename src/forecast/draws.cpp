#include "forecast/draws.h"

#include <array>
#include <cmath>
#include <numbers>

namespace mekiki {
namespace {

constexpr double kNinetiethPercentile = 1.2815515655446004;  // of the standard normal

double fraction(double x) {
  return x - std::floor(x);
}

}  // namespace

double normal_quantile(double probability) {
  double low = -9, high = 9;
  for (int i = 0; i < 50; ++i) {
    const double x = 0.5 * (low + high);
    (0.5 * std::erfc(-x / std::sqrt(2.0)) < probability ? low : high) = x;
  }
  return 0.5 * (low + high);
}

std::vector<Draw> common_draws(std::size_t count) {
  constexpr double kGenerator = 1.1673039782614187;  // root of x^5 = x + 1
  std::vector<Draw> draws;
  draws.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<double, 4> point{};
    double step = static_cast<double>(i + 1);
    for (double& coordinate : point) {
      step /= kGenerator;
      coordinate = fraction(0.5 + step);
    }
    draws.push_back({normal_quantile(point[0]),
                     normal_quantile(point[1]),
                     point[2],
                     normal_quantile(point[2]),
                     normal_quantile(point[3]),
                     normal_quantile(fraction(0.5 + static_cast<double>(i + 1) * std::numbers::sqrt2))});
  }
  return draws;
}

double scaled_by_band(double low, double mid, double high, double normal) {
  if (!(mid > 0)) {
    return mid;
  }
  const double edge = normal < 0 ? mid / low : high / mid;
  return mid * std::exp(normal / kNinetiethPercentile * std::log(edge));
}

}  // namespace mekiki
