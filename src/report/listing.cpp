#include "report/listing.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "base/amount.h"
#include "base/csv.h"
#include "base/did_you_mean.h"
#include "base/letter_case.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::string_view kUnknown = "-";

bool is_unknown(const ListingCell& cell) {
  return cell.text == kUnknown || cell.text.empty();
}

Result<std::size_t> column_at(const Listing& listing, std::string_view key, std::string_view flag) {
  std::vector<std::string_view> known;
  for (std::size_t i = 0; i < listing.columns.size(); ++i) {
    if (listing.columns[i].key == key) {
      return i;
    }
    known.push_back(listing.columns[i].key);
  }
  return fail({ErrorCode::not_found,
               std::string(flag),
               fmt::format("there is no column \"{}\"", key),
               did_you_mean_or_one_of(key, known)});
}

struct Condition {
  std::size_t column = 0;
  std::string_view comparison;
  std::string value;
  std::optional<double> number;
};

// Longer ones first: "<=" also begins with "<".
constexpr std::array<std::string_view, 7> kComparisons = {"!=", "<=", ">=", "=", "<", ">", "~"};

Result<Condition> condition_of(const Listing& listing, std::string_view text) {
  std::size_t at = std::string_view::npos;
  std::string_view found;
  for (const std::string_view comparison : kComparisons) {
    const std::size_t place = text.find(comparison);
    if (place < at) {
      at = place;
      found = comparison;
    }
  }
  if (found.empty() || at == 0) {
    return fail({ErrorCode::invalid_input,
                 "--where",
                 fmt::format("\"{}\" is no condition", text),
                 "write it like memory_gib>=80, link=nvlink or name~pro"});
  }
  const Result<std::size_t> column = column_at(listing, text.substr(0, at), "--where");
  if (!column) {
    return fail(column.error());
  }
  const std::string_view value = text.substr(at + found.size());
  const Result<double> number = parse_number(value);
  return Condition{*column, found, lower_case(value), number ? std::optional<double>(*number) : std::nullopt};
}

bool holds(const Condition& condition, const ListingCell& cell) {
  if (is_unknown(cell)) {
    return false;
  }
  if (condition.comparison == "~") {
    return lower_case(cell.text).find(condition.value) != std::string::npos;
  }
  int order = 0;
  if (condition.number && cell.number) {
    order = (*cell.number > *condition.number ? 1 : 0) - (*cell.number < *condition.number ? 1 : 0);
  } else {
    order = lower_case(cell.text).compare(condition.value);
  }
  const bool equal = order == 0, negated = condition.comparison == "!=";
  if (condition.comparison == "=" || negated) {
    return equal != negated;
  }
  const bool with_equal = condition.comparison.size() == 2;
  return (condition.comparison.front() == '<' ? order < 0 : order > 0) || (with_equal && equal);
}

bool before(const ListingCell& a, const ListingCell& b) {
  return a.number && b.number ? *a.number < *b.number : a.text < b.text;
}

void sort_rows(const Listing& listing, std::size_t column, bool largest_first, std::vector<std::size_t>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    const ListingCell& left = listing.rows[a][column];
    const ListingCell& right = listing.rows[b][column];
    if (is_unknown(left) || is_unknown(right)) {
      return !is_unknown(left) && is_unknown(right);
    }
    return largest_first ? before(right, left) : before(left, right);
  });
}

}  // namespace

Result<ListingRows> select(const Listing& listing, const ListingView& view) {
  ListingRows selected;
  selected.rows.resize(listing.rows.size());
  std::iota(selected.rows.begin(), selected.rows.end(), std::size_t{0});
  for (const std::string& text : view.where) {
    const Result<Condition> condition = condition_of(listing, text);
    if (!condition) {
      return fail(condition.error());
    }
    std::erase_if(selected.rows,
                  [&](std::size_t row) { return !holds(*condition, listing.rows[row][condition->column]); });
  }
  if (!view.sort.empty()) {
    const bool largest_first = view.sort.front() == '-';
    const Result<std::size_t> column = column_at(listing, view.sort.substr(largest_first ? 1 : 0), "--sort");
    if (!column) {
      return fail(column.error());
    }
    sort_rows(listing, *column, largest_first, selected.rows);
  }
  for (const std::string& key : view.columns) {
    const Result<std::size_t> column = column_at(listing, key, "--columns");
    if (!column) {
      return fail(column.error());
    }
    selected.columns.push_back(*column);
  }
  for (std::size_t i = 0; i < listing.columns.size() && view.columns.empty(); ++i) {
    if (listing.columns[i].usual) {
      selected.columns.push_back(i);
    }
  }
  return selected;
}

std::string listing_text(const Listing& listing, const ListingRows& rows) {
  std::vector<TableColumn> columns;
  for (const std::size_t column : rows.columns) {
    columns.push_back({listing.columns[column].heading, listing.columns[column].align});
  }
  std::vector<std::vector<std::string>> cells;
  for (const std::size_t row : rows.rows) {
    std::vector<std::string>& line = cells.emplace_back();
    for (const std::size_t column : rows.columns) {
      line.push_back(listing.rows[row][column].text);
    }
  }
  return table(columns, cells);
}

std::string listing_csv(const Listing& listing, const ListingRows& rows) {
  std::string text;
  const auto add = [&](std::size_t place, std::string_view field) {
    text += (place == 0 ? "" : ",") + csv_field(field) + (place + 1 == rows.columns.size() ? "\n" : "");
  };
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    add(i, listing.columns[rows.columns[i]].key);
  }
  for (const std::size_t row : rows.rows) {
    for (std::size_t i = 0; i < rows.columns.size(); ++i) {
      const ListingCell& cell = listing.rows[row][rows.columns[i]];
      add(i, is_unknown(cell) ? std::string{} : cell.number ? fmt::format("{:.9g}", *cell.number) : cell.text);
    }
  }
  return text;
}

}  // namespace mekiki
