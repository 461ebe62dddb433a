#include "base/date.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace mekiki {
namespace {

bool has_shape(std::string_view text, std::string_view shape) {
  return text.size() == shape.size() && std::equal(text.begin(), text.end(), shape.begin(), [](char c, char expected) {
           return expected == 'd' ? c >= '0' && c <= '9' : c == expected;
         });
}

int digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace

Result<Month> parse_month(std::string_view text) {
  constexpr int kMiddleOfYear = 7, kMonths = 12;
  const bool year_alone = text.size() == 4 && has_shape(text, "dddd");
  const int year = year_alone || has_shape(text, "dddd-dd") ? digits(text.substr(0, 4)) : 0;
  const int month = year_alone ? kMiddleOfYear : year > 0 ? digits(text.substr(5, 2)) : 0;
  if (year < 1900 || month < 1 || month > kMonths) {
    return fail({ErrorCode::invalid_input,
                 {},
                 fmt::format("\"{}\" is no month", text),
                 "write YYYY-MM, or YYYY where only the year is known"});
  }
  return Month{kMonths * year + month - 1};
}

Result<Date> parse_date(std::string_view text) {
  const Error error{
      ErrorCode::invalid_input, {}, fmt::format("\"{}\" is no date", text), "write YYYY-MM-DD, such as 2026-11-09"};
  if (!has_shape(text, "dddd-dd-dd")) {
    return fail(error);
  }
  const std::chrono::year_month_day day{std::chrono::year{digits(text.substr(0, 4))},
                                        std::chrono::month{static_cast<unsigned>(digits(text.substr(5, 2)))},
                                        std::chrono::day{static_cast<unsigned>(digits(text.substr(8, 2)))}};
  if (!day.ok() || day.year() < std::chrono::year{1900}) {
    return fail(error);
  }
  return Date{static_cast<std::int32_t>(std::chrono::sys_days{day}.time_since_epoch().count())};
}

std::string format_date(Date date) {
  const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{date.days}}};
  return fmt::format("{:04}-{:02}-{:02}",
                     static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

}  // namespace mekiki
