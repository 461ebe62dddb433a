// Price books as tables and as JSON: lists with ages, one price with the systems it is of, findings of a check, changes
// between two books, and how prices moved.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/books/book.h"
#include "catalog/books/merge.h"
#include "catalog/books/price_series.h"
#include "cost/offer.h"
#include "report/json_parts.h"
#include "report/listing.h"
#include "report/price_history.h"
#include "report/voice.h"

namespace mekiki {

/// A price with the GPU that its book means, and its age on the day of the report.
struct PriceLine {
  const Price* price = nullptr;
  Name gpu_id;      // empty: the book's name means no single product
  Name gpu_reason;  // why it means none
  std::int64_t age_days = 0;
  Staleness staleness = Staleness::fresh;
};

Listing prices_listing(const std::vector<PriceLine>& prices, const Voice& say);
/// One line for each offer that the user's book and the bundled one price differently.
std::string conflicts_text(const std::vector<PriceConflict>& conflicts, const Voice& say);

std::string prices_footer(std::size_t count, const std::vector<PriceConflict>& conflicts, const Voice& say);
Json prices_json(const std::vector<PriceLine>& prices,
                 const std::vector<PriceConflict>& conflicts,
                 const Envelope& envelope);

/// One price with every field, and what it is joined to.
struct PriceAnswer {
  PriceLine line;
  PriceJoin join;
  std::span<const System> systems;  // that the join points into
};

std::string price_text(const PriceAnswer& answer, const Voice& say);
Json price_json(const PriceAnswer& answer, const Envelope& envelope);

/// What a check of one book found.
struct BookAnswer {
  std::string subject;
  std::int64_t rows = 0;
  std::int64_t prices = 0;  // rows that are one
  std::int64_t without_gpu = 0;
  std::vector<BookFinding> findings;
  std::optional<JoinCoverage> coverage;  // of the prices of machines; nothing else joins a system
  std::optional<Service> service;        // unset: machines

  bool has_faults() const;  // a row is no price
};

std::string books_text(const std::vector<BookAnswer>& books, const Voice& say);
Json books_json(const std::vector<BookAnswer>& books, const Envelope& envelope);

/// The findings of one book as lines of talk.
std::string findings_text(const std::vector<BookFinding>& findings, const Voice& say);

std::string changes_text(const std::vector<PriceChange>& changes, const Voice& say);
Json changes_json(const std::vector<PriceChange>& changes, const Envelope& envelope);

/// What history_text() shows of a series.
PriceHistory history_of(const PriceSeries& series, const Voice& say);
Json history_json(const std::vector<PriceSeries>& series, const Envelope& envelope);

}  // namespace mekiki
