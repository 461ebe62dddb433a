// BookTable: a price list of somebody else, translated into the columns of our own. Translators only move texts; what a
// good row is, is decided once for all formats (book.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"
#include "base/enum_names.h"
#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

/// skypilot: vms.csv of a SkyPilot catalogue, one file per cloud. gpuhunt: PROVIDER.csv of a gpuhunt catalogue.
/// csv, json: the columns of data/prices/prices.csv, of which a user needs only those without which a price is none.
enum class BookFormat : std::uint8_t { automatic, csv, json, skypilot, gpuhunt };

template <>
struct EnumNames<BookFormat> {
  static constexpr std::array<std::string_view, 5> value = {"auto", "csv", "json", "skypilot", "gpuhunt"};
};

/// Rows of a book in the columns of prices.csv, texts as they were. `gpu_memory` and `place` go with the rows.
struct BookTable {
  CsvTable table;                                // the header is price_columns()
  std::vector<std::optional<Bytes>> gpu_memory;  // of one GPU, where the format says it
  std::vector<std::string> places;               // "vms.csv:17"
  std::int64_t without_gpu = 0;                  // rows of machines that have none: left out, no fault
};

/// What a format does not say and its reader must be told.
struct BookOrigin {
  std::string subject;   // names the text in errors
  std::string provider;  // of all rows; empty: the rows say it
  std::string as_of;     // of all rows; empty: the rows say it
};

/// The columns of prices.csv, in order.
const std::vector<std::string>& price_columns();

/// Our own columns: any subset, in any order. Missing optional ones are filled with "unknown" or left empty; a missing
/// id is made of the rest. Errors: invalid_input for a text that is no CSV or JSON, for an unknown column and for a
/// missing one of provider, gpu_id, gpus, kind, price_per_hour, currency, as_of.
Result<BookTable> read_csv_table(std::string_view text, const BookOrigin& origin);
Result<BookTable> read_json_table(std::string_view text, const BookOrigin& origin);

/// SkyPilot: Price and SpotPrice of a row become two prices of the whole instance. Columns are found by name. Rows
/// without accelerator are counted apart. An accelerator without an instance is one without its machine.
/// Source: facts of skypilot-org/skypilot-catalog README @0082b04, columns as its files write them.
Result<BookTable> read_skypilot_table(std::string_view text, const BookOrigin& origin);

/// gpuhunt: one row per purchase type, the price of the whole instance.
/// Source: dstackai/gpuhunt src/gpuhunt/_internal/storage.py @3584151 (CATALOG_V2_FIELDS).
Result<BookTable> read_gpuhunt_table(std::string_view text, const BookOrigin& origin);

/// What the text is, by its first line or character.
BookFormat format_of(std::string_view text);

/// A row of a BookTable under construction: texts by column.
class BookRow {
 public:
  BookRow();
  BookRow& set(std::string_view column, std::string value);
  const std::string& at(std::string_view column) const;
  /// The id is made where it is empty: provider, GPU, size, sku, region, kind and day.
  std::vector<std::string> fields() &&;

 private:
  std::vector<std::string> fields_;
};

}  // namespace mekiki
