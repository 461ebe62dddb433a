// CSV as RFC 4180 has it: comma, double quotes, "" inside quotes, LF or CRLF, newlines inside quotes, one header row.
//
// A byte order mark is skipped, and so is a line without any character. Refused with line and column: a row with more
// or fewer fields than the header, a quote inside a bare field, text after a closing quote, an unclosed quote, a bare
// carriage return, a column name that is empty or given twice, bytes that are no UTF-8, NUL, texts beyond the limits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mekiki {

struct CsvRow {
  std::size_t line = 0;  // of the first field; the header is line 1
  std::vector<std::string> fields;
};

struct CsvTable {
  std::vector<std::string> header;
  std::vector<CsvRow> rows;  // each with as many fields as the header
};

struct CsvOptions {
  std::size_t size_limit = std::size_t{64} << 20;  // bytes
  std::size_t row_limit = 2'000'000;
  std::size_t column_limit = 1024;
};

/// `subject` names the text in errors; an error reads "prices.csv:17:4", line and column. Errors: invalid_input. A text
/// without a header is an error, a header without rows is not.
Result<CsvTable> parse_csv(std::string_view text, std::string_view subject, const CsvOptions& options = {});

/// The same for a table of exactly these columns. `what` names it in the error of a header that differs: "the columns
/// are not those of WHAT", at line 1, with the columns as the hint.
Result<CsvTable> parse_csv_of(std::span<const std::string_view> columns,
                              std::string_view what,
                              std::string_view text,
                              std::string_view subject);

/// Index of a column by its exact name.
std::optional<std::size_t> column_of(const CsvTable& table, std::string_view name);

/// One field as CSV text: quoted only where it must be.
std::string csv_field(std::string_view value);

}  // namespace mekiki
