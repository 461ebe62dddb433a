#include <cmath>

#include "memory/report.h"

namespace mekiki {

Verdict verdict_of(const Estimate<Bytes>& device, Bytes capacity, double headroom) {
  if (device.mid * (1.0 + headroom) <= capacity) {
    return Verdict::fits;
  }
  return device.mid <= capacity ? Verdict::tight : Verdict::does_not_fit;
}

double oom_probability(const Estimate<Bytes>& device, Bytes capacity) {
  constexpr double kNinetiethPercentile = 1.2815515655446004;  // of the standard normal
  const bool above_mid = capacity >= device.mid;
  const double spread = above_mid ? std::log(device.high / device.mid) : std::log(device.mid / device.low);
  const double distance = std::log(capacity / device.mid);
  if (spread <= 0.0) {
    return above_mid ? 0.0 : 1.0;
  }
  const double z = distance / (spread / kNinetiethPercentile);
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

}  // namespace mekiki
