#include <cmath>

#include "memory/report.h"

namespace mekiki {

Bytes device_on(Bytes needed, Bytes device, Bytes capacity) {
  return device > capacity && needed <= capacity ? capacity : device;
}

MemoryReport on_device(MemoryReport report, Bytes capacity) {
  const Bytes device = device_on(report.needed.mid, report.device.mid, capacity);
  if (device == report.device.mid) {
    return report;
  }
  const double shrunk = device / report.device.mid;
  report.device = {shrunk * report.device.low, device, shrunk * report.device.high, report.device.basis};
  const Bytes reserved = device - report.context;
  const double share = reserved / report.reserved.mid;
  report.reserved = {share * report.reserved.low, reserved, share * report.reserved.high, report.reserved.basis};
  report.allocator = reserved - report.allocated.mid;
  return report;
}

Verdict verdict_of(const Estimate<Bytes>& device, Bytes capacity, double headroom) {
  if (device.mid * (1.0 + headroom) <= capacity) {
    return Verdict::fits;
  }
  return device.mid <= capacity ? Verdict::tight : Verdict::does_not_fit;
}

double oom_probability(const Estimate<Bytes>& needed, Bytes capacity) {
  constexpr double kNinetiethPercentile = 1.2815515655446004;  // of the standard normal
  const bool above_mid = capacity >= needed.mid;
  const double spread = above_mid ? std::log(needed.high / needed.mid) : std::log(needed.mid / needed.low);
  const double distance = std::log(capacity / needed.mid);
  if (spread <= 0.0) {
    return above_mid ? 0.0 : 1.0;
  }
  const double z = distance / (spread / kNinetiethPercentile);
  return 0.5 * std::erfc(z / std::sqrt(2.0));
}

}  // namespace mekiki
