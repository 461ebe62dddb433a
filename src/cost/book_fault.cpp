#include "cost/book_fault.h"

#include "base/amount.h"

namespace mekiki {

std::optional<BookFault> price_fault(std::string_view text) {
  if (text.empty()) {
    return BookFault::no_price;
  }
  const Result<double> number = parse_number(text);
  if (!number) {
    return BookFault::unreadable;
  }
  if (*number < 0) {
    return BookFault::negative_price;
  }
  return *number == 0 ? std::optional(BookFault::zero_price) : std::nullopt;
}

}  // namespace mekiki
