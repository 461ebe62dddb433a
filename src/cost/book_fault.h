// What is wrong with a row of a price book, or worth a look: one list for machines, storage, traffic and calls of
// models.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_names.h"

namespace mekiki {

/// Up to `outlier` the row is kept out of the prices.
enum class BookFault : std::uint8_t {
  unreadable,  // a field that is no number, date, word or text of its column
  no_price,    // an empty price: the source had none; it is not 0
  zero_price,  // nothing is free
  negative_price,
  unknown_provider,
  unknown_gpu,
  undated,
  future,                 // a day that has not come
  mixed_currency,         // another currency than the rest of the book, without a rate
  duplicate,              // the same offer with the same price again
  price_of_one_gpu,       // several GPUs for what one costs elsewhere
  price_of_whole_node,    // one GPU for what a node costs elsewhere
  price_of_another_unit,  // hundreds of times what the same costs elsewhere: by the TB for GB, the thousand for million
  outlier,                // of another order than the same costs elsewhere
  conflict,               // the same offer on the same day with another price: both stand
  unknown_sku,            // an instance that the catalogue lacks
  spot_above_list,        // an interruptible unit that costs no less than the list price beside it
  discount_above_list,    // cached or batched calls that cost more than the plain ones beside them
  age_unknown,            // the source says itself that it has no day: shown, in no history
  foreign_currency        // shown; planned with once a dated rate is given
};

template <>
struct EnumNames<BookFault> {
  static constexpr std::array<std::string_view, 20> value = {"unreadable",
                                                             "no_price",
                                                             "zero_price",
                                                             "negative_price",
                                                             "unknown_provider",
                                                             "unknown_gpu",
                                                             "undated",
                                                             "future",
                                                             "mixed_currency",
                                                             "duplicate",
                                                             "price_of_one_gpu",
                                                             "price_of_whole_node",
                                                             "price_of_another_unit",
                                                             "outlier",
                                                             "conflict",
                                                             "unknown_sku",
                                                             "spot_above_list",
                                                             "discount_above_list",
                                                             "age_unknown",
                                                             "foreign_currency"};
};

/// Whether a row with this fault is no price.
constexpr bool excludes(BookFault fault) {
  return fault <= BookFault::outlier;
}

struct BookFinding {
  BookFault fault = BookFault::unreadable;
  std::string place;   // "vms.csv:17"
  std::string detail;  // the value that is at fault, or what it was held against
};

/// What a price's text says before it is read as a number in range: empty, no number, negative or 0.
std::optional<BookFault> price_fault(std::string_view text);

}  // namespace mekiki
