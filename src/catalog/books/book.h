// A price book that is not our own: read, checked row by row, and joined to the catalogue's names. Nothing is dropped
// silently: what is no price stands in the findings with its place and its reason, and never in the prices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/enum_names.h"
#include "base/result.h"
#include "catalog/books/book_table.h"
#include "catalog/rows/storage.h"
#include "catalog/rows/tables.h"

namespace mekiki {

/// What is wrong with a row, or worth a look. Up to `outlier` the row is kept out of the prices.
enum class BookFault : std::uint8_t {
  unreadable,  // a field that is no number, date, word or text of its column
  no_price,    // an empty price: the source had none; it is not 0
  zero_price,  // nothing is free
  negative_price,
  unknown_provider,
  unknown_gpu,
  undated,
  future,               // a day that has not come
  mixed_currency,       // another currency than the rest of the book, without a rate
  duplicate,            // the same offer with the same price again
  price_of_one_gpu,     // several GPUs for what one costs elsewhere
  price_of_whole_node,  // one GPU for what a node costs elsewhere
  outlier,              // more than 5 times or less than a tenth of what this GPU costs elsewhere
  conflict,             // the same offer on the same day with another price: both stand
  unknown_sku,          // an instance that the catalogue lacks
  spot_above_list,      // an interruptible unit that costs no less than the list price beside it
  foreign_currency      // shown; planned with once a dated rate is given
};

template <>
struct EnumNames<BookFault> {
  static constexpr std::array<std::string_view, 17> value = {"unreadable",
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
                                                             "outlier",
                                                             "conflict",
                                                             "unknown_sku",
                                                             "spot_above_list",
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

/// A rate that the user gives, with its day: nothing is converted otherwise.
struct ExchangeRate {
  std::string currency;
  double usd = 0;  // of one unit
  Date day;
};

/// "EUR=1.08@2026-11-20". Errors: invalid_input.
Result<ExchangeRate> parse_exchange_rate(std::string_view text);

struct BookOptions {
  BookFormat format = BookFormat::automatic;
  std::string subject;        // names the text in places and errors
  std::string provider;       // of the whole book; needed for skypilot and gpuhunt
  std::optional<Date> dated;  // of rows that do not say their day; needed for skypilot and gpuhunt
  Date today;                 // rows of later days are faults
  std::vector<ExchangeRate> rates;
};

struct PriceBookRows {
  RowStorage storage;
  std::vector<Price> prices;         // marked as the user's own
  std::vector<std::string> places;   // of the prices
  std::vector<PriceGpu> price_gpus;  // what the GPU names of these prices mean
  std::vector<BookFinding> findings;
  std::int64_t rows = 0;         // prices and findings that exclude
  std::int64_t without_gpu = 0;  // machines that have none
};

/// Errors: those of the tables (book_table.h); usage where a format needs a provider or a day that is not given.
Result<PriceBookRows> read_book(std::string_view text, const BookOptions& options, const Catalog& catalog);

/// The prices in our own columns; read_book reads them back.
std::string book_text(std::span<const Price> prices);

}  // namespace mekiki
