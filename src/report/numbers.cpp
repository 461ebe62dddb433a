#include "report/numbers.h"

#include <algorithm>
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
  const double shortened = std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(shortened))));
  return grouped(fmt::format("{:.{}f}", shortened, magnitude >= 2 ? 0 : 2 - magnitude));
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

std::string capacity_gib(Bytes bytes) {
  return fmt::format("{:.2f} GiB", bytes / kGiB);
}

std::string gib(Bytes bytes) {
  return gib_number(bytes) + " GiB";
}

std::string gb(Bytes bytes) {
  return significant(bytes / kGB) + " GB";
}

std::string byte_size(Bytes bytes) {
  constexpr Scale kScales[] = {{kGiB.base(), " GiB"}, {kMiB.base(), " MiB"}, {1024.0, " KiB"}};
  for (const Scale& scale : kScales) {
    if (std::abs(bytes / kByte) >= scale.unit) {
      return significant(bytes / kByte / scale.unit) + scale.suffix;
    }
  }
  return significant(bytes / kByte) + " bytes";
}

std::string figure(double value) {
  return grouped(fmt::format("{:.6g}", value));
}

std::string duration(Seconds seconds, const Voice& say) {
  struct Unit {
    double from, size;
    Message name;
  };
  constexpr Unit kUnits[] = {{2.0 * 86400, 86400, Message::unit_d},
                             {2.0 * 3600, 3600, Message::unit_h},
                             {120, 60, Message::unit_min},
                             {0.1, 1, Message::unit_s},
                             {1e-4, 1e-3, Message::unit_ms},
                             {0, 1e-6, Message::unit_us}};
  const double value = seconds / kSecond;
  const auto* unit = std::find_if(
      std::begin(kUnits), std::end(kUnits) - 1, [&](const Unit& candidate) { return value >= candidate.from; });
  return significant(value / unit->size) + " " + std::string(say(unit->name));
}

std::string percent(double share) {
  const double value = 100.0 * share;
  if (value > 0.0 && value < 0.05) {
    return "< 0.1 %";
  }
  return value > 0.0 && value < 9.95 ? fmt::format("{:.1f} %", value) : fmt::format("{:.0f} %", value);
}

std::string usd(Usd amount) {
  const double value = std::abs(amount / kUsd);
  const bool negative = amount < Usd{} && value >= 0.005;
  return (negative ? "-$" : "$") +
         (value < 1000 ? fmt::format("{:.2f}", value) : grouped(fmt::format("{:.0f}", value)));
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
