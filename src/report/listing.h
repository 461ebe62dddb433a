// Listing: a catalogue as a table that a person can filter, sort and cut, and a program can read as CSV. The command
// line asks by the keys of the columns.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/display_width.h"

namespace mekiki {

/// What stands in the table, and the figure behind it by which it is compared; no figure: compared as text. An unknown
/// is "-" and fits no condition.
struct ListingCell {
  std::string text;
  std::optional<double> number;
};

struct ListingColumn {
  std::string key;      // of --columns, --sort and --where, and the heading of the CSV
  std::string heading;  // of the table
  Align align = Align::left;
  bool usual = true;  // shown when no columns are asked for
};

struct Listing {
  std::vector<ListingColumn> columns;
  std::vector<std::vector<ListingCell>> rows;  // each with a cell for every column
};

struct ListingView {
  std::vector<std::string> where;    // "memory_gib>=80", "link=nvlink", "name~pro": all must hold
  std::string sort;                  // a key; "-key" for the largest first; empty: as listed
  std::vector<std::string> columns;  // keys; empty: the usual ones
};

/// A listing with the places of the rows that are shown, in their order.
struct ListingRows {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
};

/// Errors: not_found for an unknown key, with near ones; invalid_input for a condition without =, !=, <, <=, >, >= or
/// ~. Rows with an unknown in the sorted column come last.
Result<ListingRows> select(const Listing& listing, const ListingView& view);

std::string listing_text(const Listing& listing, const ListingRows& rows);

/// With the keys as header. Figures are written without grouping; an unknown is an empty field.
std::string listing_csv(const Listing& listing, const ListingRows& rows);

}  // namespace mekiki
