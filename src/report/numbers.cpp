#include "report/numbers.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace mekiki {
namespace {

struct Scale {
  double unit;
  const char* suffix;
};

std::string grouped(std::string digits) {
  const std::size_t point = digits.find('.');
  std::size_t end = point == std::string::npos ? digits.size() : point;
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  while (end > start + 3) {
    end -= 3;
    digits.insert(end, 1, ',');
  }
  return digits;
}

}  // namespace

std::string whole(std::int64_t value) {
  return grouped(std::to_string(value));
}

std::string significant(double value) {
  if (value == 0.0 || !std::isfinite(value)) {
    return value == 0.0 ? "0" : "?";
  }
  // Rounding first, so that 9.996 has the decimals of 10.0.
  const double rounded = std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded))));
  const int decimals = magnitude >= 2 ? 0 : 2 - magnitude;
  return grouped(fmt::format("{:.{}f}", decimals == 0 ? std::round(value) : rounded, decimals));
}

std::string short_count(double value) {
  constexpr Scale kScales[] = {{1e12, "T"}, {1e9, "B"}, {1e6, "M"}};
  for (const Scale& scale : kScales) {
    if (std::abs(value) >= scale.unit) {
      return significant(value / scale.unit) + scale.suffix;
    }
  }
  return grouped(fmt::format("{:.0f}", value));
}

std::string gib_number(Bytes bytes) {
  const double value = bytes / kGiB;
  return std::abs(value) < 0.005 ? "0.00" : std::abs(value) < 1.0 ? fmt::format("{:.2f}", value) : significant(value);
}

std::string gib(Bytes bytes) {
  return gib_number(bytes) + " GiB";
}

std::string gb(Bytes bytes) {
  return significant(bytes / kGB) + " GB";
}

std::string duration(Seconds seconds) {
  constexpr Scale kScales[] = {{2.0 * 86400, "d"}, {2.0 * 3600, "h"}, {120, "min"}, {0.1, "s"}, {1e-4, "ms"}};
  constexpr double kUnits[] = {86400, 3600, 60, 1, 1e-3};
  const double value = seconds / kSecond;
  for (std::size_t i = 0; i < std::size(kScales); ++i) {
    if (value >= kScales[i].unit) {
      return significant(value / kUnits[i]) + " " + kScales[i].suffix;
    }
  }
  return significant(value * 1e6) + " us";
}

std::string percent(double share) {
  const double value = 100.0 * share;
  return value > 0.0 && value < 9.95 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string usd(Usd amount) {
  const double value = amount / kUsd;
  return "$" + (std::abs(value) < 1000 ? fmt::format("{:.2f}", value) : grouped(fmt::format("{:.0f}", value)));
}

std::string tokens_per_second(TokensPerSecond rate) {
  return significant(rate / (kToken / kSecond));
}

std::string tflop_per_second(FlopsPerSecond rate) {
  return significant(rate / kTflopPerSecond);
}

std::string flops(Flops work) {
  constexpr Scale kScales[] = {{1e15, "PFLOP"}, {1e12, "TFLOP"}, {1e9, "GFLOP"}, {1e6, "MFLOP"}};
  for (const Scale& scale : kScales) {
    if (work / kFlop >= scale.unit) {
      return significant(work / kFlop / scale.unit) + " " + scale.suffix;
    }
  }
  return significant(work / kFlop) + " FLOP";
}

}  // namespace mekiki
