#include "audit/measured_mfu.h"

#include <algorithm>
#include <utility>

#include "base/amount.h"
#include "base/csv.h"

namespace mekiki {
namespace {

Result<MeasuredMfu> read_row(const CsvRow& row, std::string_view subject) {
  const auto& fields = row.fields;
  const auto bad = [&](std::string message) {
    return fail({ErrorCode::invalid_input,
                 std::string(subject) + ":" + std::to_string(row.line),
                 std::move(message),
                 "see data/reference/measured_mfu.csv"});
  };
  const std::optional<Dtype> format = enum_from_name<Dtype>(fields[1]);
  if (!format) {
    return bad("\"" + fields[1] + "\" is no number format");
  }
  const Result<std::int64_t> runs = parse_count(fields[2]);
  if (!runs || *runs < 1) {
    return bad("\"" + fields[2] + "\" is no number of runs");
  }
  MeasuredMfu mfu{.gpu_id = fields[0], .format = *format, .runs = *runs, .best_run = fields[6]};
  const std::pair<double*, const std::string*> shares[] = {
      {&mfu.low, &fields[3]}, {&mfu.median, &fields[4]}, {&mfu.best, &fields[5]}};
  for (const auto& [share, text] : shares) {
    const Result<double> value = parse_number(*text);
    if (!value) {
      return bad(value.error().message);
    }
    *share = *value;
  }
  if (!(mfu.low > 0 && mfu.low <= mfu.median && mfu.median <= mfu.best && mfu.best < 1)) {
    return bad("shares are not 0 < mfu_low <= mfu_median <= mfu_best < 1");
  }
  return mfu;
}

}  // namespace

Result<std::vector<MeasuredMfu>> read_measured_mfu(std::string_view csv, std::string_view subject) {
  constexpr std::string_view kColumns[] = {"gpu_id", "format", "runs", "mfu_low", "mfu_median", "mfu_best", "best_run"};
  const Result<CsvTable> table = parse_csv_of(kColumns, "measured shares of the peak", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<MeasuredMfu> rows;
  for (const CsvRow& row : table->rows) {
    Result<MeasuredMfu> read = read_row(row, subject);
    if (!read) {
      return fail(read.error());
    }
    const bool twice = std::any_of(rows.begin(), rows.end(), [&](const MeasuredMfu& other) {
      return other.gpu_id == read->gpu_id && other.format == read->format;
    });
    if (twice) {
      return fail({ErrorCode::invalid_input,
                   std::string(subject) + ":" + std::to_string(row.line),
                   read->gpu_id + " stands twice with this format",
                   "keep one of the two rows"});
    }
    rows.push_back(std::move(*read));
  }
  return rows;
}

std::optional<MeasuredMfu> measured_mfu(std::span<const MeasuredMfu> rows, std::string_view gpu_id, Dtype format) {
  std::optional<MeasuredMfu> elsewhere;
  std::int64_t most_runs = 0;
  for (const MeasuredMfu& row : rows) {
    if (row.format != format) {
      continue;
    }
    if (row.gpu_id == gpu_id) {
      return row;
    }
    if (!elsewhere) {
      elsewhere = row;
      elsewhere->gpu_id.clear();
      most_runs = row.runs;
      continue;
    }
    if (row.runs > most_runs) {
      most_runs = row.runs;
      elsewhere->median = row.median;
    }
    elsewhere->runs += row.runs;
    elsewhere->low = std::min(elsewhere->low, row.low);
    if (row.best > elsewhere->best) {
      elsewhere->best = row.best;
      elsewhere->best_run = row.best_run;
    }
  }
  return elsewhere;
}

}  // namespace mekiki
