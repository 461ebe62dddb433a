// Filters that the commands about catalogues share.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "cost/price.h"
#include "report/listing.h"

namespace mekiki {

/// Filters name things as people do, so they are looked up like any other name. Unset: no such filter. Errors: those of
/// the look-ups.
Result<std::optional<Name>> gpu_filter(const Context& context, const Arguments& arguments);
Result<std::optional<Name>> provider_filter(const Context& context, const Arguments& arguments);
Result<std::optional<PriceKind>> kind_filter(const Arguments& arguments);

/// --where, --sort and --columns.
ListingView listing_view(const Arguments& arguments);

/// The values at these places.
template <class T>
std::vector<T> picked(const std::vector<T>& values, const std::vector<std::size_t>& places) {
  std::vector<T> list;
  for (const std::size_t place : places) {
    list.push_back(values[place]);
  }
  return list;
}

/// The listing as the command line asks for it: text with its footer, CSV, or JSON made from the rows that are shown.
template <class ToFooter, class ToJson>
Result<Outcome> answer_listing(const Context& context,
                               const Arguments& arguments,
                               const Listing& listing,
                               const ToFooter& to_footer,
                               const ToJson& to_json) {
  const Result<ListingRows> rows = select(listing, listing_view(arguments));
  if (!rows) {
    return fail(rows.error());
  }
  if (context.json) {
    return Outcome{.output = json_text(to_json(rows->rows))};
  }
  return Outcome{.output = arguments.has("csv") ? listing_csv(listing, *rows)
                                                : listing_text(listing, *rows) + to_footer(rows->rows.size())};
}

}  // namespace mekiki
