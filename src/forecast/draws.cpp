#include "forecast/draws.h"

#include <cmath>

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
  constexpr double kGenerator = 1.2207440846057596;  // root of x^4 = x + 1
  std::vector<Draw> draws;
  draws.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<double>(i + 1);
    const double first = fraction(0.5 + n / kGenerator);
    const double second = fraction(0.5 + n / (kGenerator * kGenerator));
    const double third = fraction(0.5 + n / (kGenerator * kGenerator * kGenerator));
    draws.push_back({normal_quantile(first), normal_quantile(second), third, normal_quantile(third)});
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
