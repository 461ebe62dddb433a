// A day, as prices and sources are dated. No clock here: today comes from the caller.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mekiki {

/// A day of the proleptic Gregorian calendar as days since 1970-01-01.
struct Date {
  std::int32_t days = 0;
  friend constexpr auto operator<=>(Date, Date) = default;
};

/// A month, for what changed between versions of software.
struct Month {
  std::int32_t months = 0;  // since January of year 0
  friend constexpr auto operator<=>(Month, Month) = default;
};

/// "YYYY-MM", or "YYYY" for the middle of a year, years 1900 to 9999. Errors: invalid_input.
Result<Month> parse_month(std::string_view text);

/// Exactly "YYYY-MM-DD" of a day that exists, years 1900 to 9999. Errors: invalid_input.
Result<Date> parse_date(std::string_view text);

/// "YYYY-MM-DD".
std::string format_date(Date date);

}  // namespace mekiki
