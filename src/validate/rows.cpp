#include "validate/rows.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/amount.h"
#include "base/csv.h"
#include "base/did_you_mean.h"
#include "validate/columns.h"

namespace mekiki {
namespace {

constexpr std::array<std::string_view, 4> kLabelColumns = {"id", "group", "confidence", "tier"};
constexpr std::array<std::string_view, 2> kNeededColumns = {"id", "model"};
constexpr std::array<std::string_view, 5> kUnstatedNumbers = {"unknown", "not stated", "n/a", "-", "?"};
constexpr double kLargestWholeNumber = 9e15;
constexpr int kSlip = 1;  // edits between a column name and a slip of it

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// The fields of one row by column name.
class RowFields {
 public:
  RowFields(const CsvTable& table, const CsvRow& row, std::string_view subject)
      : table_(table), row_(row), subject_(subject) {}

  std::string_view text(std::string_view column) const {
    const std::optional<std::size_t> at = column_of(table_, column);
    return at ? trimmed(row_.fields[*at]) : std::string_view{};
  }

  Error error(std::string_view column, std::string message) const {
    return {ErrorCode::invalid_input,
            std::string(subject_) + ":" + std::to_string(row_.line) + ":" + std::string(column),
            std::move(message),
            "leave the field empty where it is not known"};
  }

 private:
  const CsvTable& table_;
  const CsvRow& row_;
  std::string_view subject_;
};

Result<std::optional<double>> number_of(const RowFields& fields, std::string_view column) {
  const std::string_view text = fields.text(column);
  if (text.empty() || std::find(kUnstatedNumbers.begin(), kUnstatedNumbers.end(), text) != kUnstatedNumbers.end()) {
    return std::optional<double>{};
  }
  const Result<double> number = parse_number(text);
  if (!number) {
    return fail(fields.error(column, "'" + std::string(text) + "' is no number"));
  }
  if (*number < 0) {
    return fail(fields.error(column, "'" + std::string(text) + "' is negative"));
  }
  return std::optional<double>{*number};
}

/// Reads one field after the other; the first that cannot be read is kept as the error of the row.
class FieldReader {
 public:
  explicit FieldReader(const RowFields& fields) : fields_(fields) {}

  void operator()(std::string_view column, std::string& field) { field = std::string(fields_.text(column)); }

  void operator()(std::string_view column, std::optional<double>& field) {
    if (Result<std::optional<double>> number = number_of(fields_, column)) {
      field = *number;
    } else {
      note(number.error());
    }
  }

  void operator()(std::string_view column, std::optional<std::int64_t>& field) {
    std::optional<double> number;
    (*this)(column, number);
    if (!number) {
      return;
    }
    if (*number > kLargestWholeNumber || std::floor(*number) != *number) {
      note(fields_.error(column, "'" + std::string(fields_.text(column)) + "' is no whole number"));
      return;
    }
    field = static_cast<std::int64_t>(*number);
  }

  void operator()(std::string_view column, MemoryMetric& field) {
    if (const auto metric = enum_from_name<MemoryMetric>(fields_.text(column))) {
      field = *metric;
    } else {
      note(fields_.error(column, "'" + std::string(fields_.text(column)) + "' is no metric"));
    }
  }

  template <class Row>
  Result<Row> finish(Row row) && {
    if (error_) {
      return fail(std::move(*error_));
    }
    return row;
  }

 private:
  void note(const Error& error) {
    if (!error_) {
      error_ = error;
    }
  }

  const RowFields& fields_;
  std::optional<Error> error_;
};

template <class Row>
Result<Row> read_part(const RowFields& fields) {
  FieldReader reader(fields);
  Row row;
  visit_columns(row, reader);
  return std::move(reader).finish(std::move(row));
}

RowLabel read_label(const RowFields& fields, std::size_t line) {
  RowLabel label{.id = std::string(fields.text("id")), .group = std::string(fields.text("group")), .line = line};
  label.confidence = enum_from_name<Confidence>(fields.text("confidence")).value_or(Confidence::unstated);
  if (const auto tier = number_of(fields, "tier"); tier && *tier) {
    label.tier = static_cast<std::int64_t>(std::min(**tier, 1e6));
  }
  return label;
}

template <class Known, class Measured>
std::vector<std::string_view> column_names() {
  std::vector<std::string_view> names(kLabelColumns.begin(), kLabelColumns.end());
  const auto add = [&](std::string_view column, auto&) { names.push_back(column); };
  Known known;
  Measured measured;
  visit_columns(known, add);
  visit_columns(measured, add);
  return names;
}

Status check_header(const CsvTable& table, const std::vector<std::string_view>& known, std::string_view subject) {
  for (const std::string_view needed : kNeededColumns) {
    if (!column_of(table, needed)) {
      return fail({ErrorCode::invalid_input,
                   std::string(subject) + ":1",
                   "there is no column '" + std::string(needed) + "'",
                   "the header needs at least id and model"});
    }
  }
  for (const std::string& column : table.header) {
    for (const std::string_view name : known) {
      const bool slip = name.size() > 4 && edit_distance(column, name) == kSlip;
      if (slip && !column_of(table, name) && std::find(known.begin(), known.end(), column) == known.end()) {
        return fail({ErrorCode::invalid_input,
                     std::string(subject) + ":1",
                     "the column '" + column + "' is not known",
                     "did you mean '" + std::string(name) + "'?"});
      }
    }
  }
  return {};
}

template <class Known, class Measured>
Result<std::vector<RowOf<Known, Measured>>> read_rows(std::string_view csv_text, std::string_view subject) {
  const Result<CsvTable> table = parse_csv(csv_text, subject);
  if (!table) {
    return fail(table.error());
  }
  if (const Status header = check_header(*table, column_names<Known, Measured>(), subject); !header) {
    return fail(header.error());
  }
  std::vector<RowOf<Known, Measured>> rows;
  rows.reserve(table->rows.size());
  for (const CsvRow& row : table->rows) {
    const RowFields fields(*table, row, subject);
    rows.push_back({read_label(fields, row.line), read_part<Known>(fields), read_part<Measured>(fields)});
  }
  return rows;
}

}  // namespace

Result<std::vector<MemoryRow>> read_memory_rows(std::string_view csv_text, std::string_view subject) {
  return read_rows<KnownMemoryRow, MeasuredMemoryRow>(csv_text, subject);
}

Result<std::vector<ThroughputRow>> read_throughput_rows(std::string_view csv_text, std::string_view subject) {
  return read_rows<KnownThroughputRow, MeasuredThroughputRow>(csv_text, subject);
}

}  // namespace mekiki
