#include "page/axis.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace mekiki {
namespace {

double nice_step(double span, int wanted) {
  const double raw = span / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) {
      return factor * power;
    }
  }
  return 10.0 * power;
}

// Months since year 0.
std::int64_t month_of(Date day) {
  const std::string text = format_date(day);
  return std::stoll(text.substr(0, 4)) * 12 + std::stoll(text.substr(5, 2)) - 1;
}

std::optional<Date> first_day(std::int64_t month) {
  const Result<Date> day = parse_date(fmt::format("{:04}-{:02}-01", month / 12, month % 12 + 1));
  return day ? std::optional(*day) : std::nullopt;
}

}  // namespace

std::vector<Tick> value_ticks(double largest, int wanted) {
  const double span = largest > 0 && std::isfinite(largest) ? largest : 1.0;
  const double step = nice_step(span, wanted);
  std::vector<Tick> ticks;
  for (int i = 0;; ++i) {
    ticks.push_back({i * step, fmt::format("{:.6g}", i * step)});
    if (i * step >= span) {
      return ticks;
    }
  }
}

std::vector<Tick> date_ticks(Date first, Date last, int most) {
  const std::int64_t begin = month_of(first), months = month_of(last) - begin + 1;
  std::vector<Tick> ticks;
  if (months > 2) {
    std::int64_t step = 1;
    for (const std::int64_t candidate : {1, 2, 3, 6, 12, 24, 60, 120, 600, 6000, 120000}) {
      step = candidate;
      if (months / candidate < most) {
        break;
      }
    }
    for (std::int64_t month = (begin + step - 1) / step * step; month < begin + months; month += step) {
      const std::optional<Date> day = first_day(month);
      if (day && *day >= first && *day <= last) {
        ticks.push_back({static_cast<double>(day->days), format_date(*day).substr(0, 7)});
      }
    }
  }
  if (ticks.size() < 2) {
    ticks = {{static_cast<double>(first.days), format_date(first)}};
    if (last != first) {
      ticks.push_back({static_cast<double>(last.days), format_date(last)});
    }
  }
  return ticks;
}

}  // namespace mekiki
