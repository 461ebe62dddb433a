// A price book that is not our own: read, checked row by row, and joined to the catalogue's names. Nothing is dropped
// silently: what is no price stands in the findings with its place and its reason, and never in the prices.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/result.h"
#include "catalog/books/book_table.h"
#include "catalog/rows/storage.h"
#include "catalog/rows/tables.h"
#include "cost/book_fault.h"

namespace mekiki {

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
