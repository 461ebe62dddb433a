#include "catalog/books/book_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/did_you_mean.h"
#include "base/json.h"
#include "base/words.h"
#include "catalog/rows/fields.h"

namespace mekiki {
namespace {

using nlohmann::json;

// Collects the keys of a row type.
struct KeyLister {
  std::vector<std::string> keys;
  void add(std::string_view key) { keys.emplace_back(key); }
  template <class... Rest>
  void text(std::string_view key, const Rest&...) {
    add(key);
  }
  template <class... Rest>
  void number(std::string_view key, const Rest&...) {
    add(key);
  }
  template <class... Rest>
  void choice(std::string_view key, const Rest&...) {
    add(key);
  }
  template <class... Rest>
  void date(std::string_view key, const Rest&...) {
    add(key);
  }
};

std::size_t place_of(std::string_view column) {
  const std::vector<std::string>& columns = price_columns();
  const auto found = std::find(columns.begin(), columns.end(), column);
  MEKIKI_CHECK(found != columns.end(), "a column of prices.csv");
  return static_cast<std::size_t>(found - columns.begin());
}

constexpr std::string_view kNeeded[] = {"gpu_id", "gpus", "kind", "price_per_hour", "currency"};

Error column_error(const BookOrigin& origin, std::string message, std::string hint) {
  return {ErrorCode::invalid_input, origin.subject + ":1", std::move(message), std::move(hint)};
}

// Which of our columns each column of a header is. Errors name the unknown and the missing.
Result<std::vector<std::size_t>> columns_of(const std::vector<std::string>& header, const BookOrigin& origin) {
  std::vector<std::size_t> places;
  const std::vector<std::string>& ours = price_columns();
  const std::vector<std::string_view> known(ours.begin(), ours.end());
  for (const std::string& column : header) {
    if (std::find(ours.begin(), ours.end(), column) == ours.end()) {
      return fail(column_error(
          origin, fmt::format("\"{}\" is no column of a price book", column), did_you_mean(column, known)));
    }
    places.push_back(place_of(column));
  }
  std::vector<std::string_view> needed(std::begin(kNeeded), std::end(kNeeded));
  if (origin.provider.empty()) {
    needed.push_back("provider");
  }
  if (origin.as_of.empty()) {
    needed.push_back("as_of");
  }
  for (const std::string_view column : needed) {
    if (std::find(header.begin(), header.end(), column) == header.end()) {
      return fail(column_error(origin,
                               fmt::format("the column \"{}\" is missing", column),
                               "a price without provider, GPU, number, kind, currency and day is none"));
    }
  }
  return places;
}

void add_own_row(BookTable& book, BookRow row, const BookOrigin& origin, std::string place) {
  if (!origin.provider.empty()) {
    row.set("provider", origin.provider);
  }
  if (!origin.as_of.empty() && row.at("as_of").empty()) {
    row.set("as_of", origin.as_of);
  }
  book.table.rows.push_back({book.table.rows.size() + 2, std::move(row).fields()});
  book.gpu_memory.push_back(std::nullopt);
  book.places.push_back(std::move(place));
}

std::string text_of(const json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_null() ? std::string{} : value.dump();
}

}  // namespace

const std::vector<std::string>& price_columns() {
  static const std::vector<std::string> columns = [] {
    KeyLister lister;
    Price price;
    Fields<Price>::visit(lister, price);
    return lister.keys;
  }();
  return columns;
}

BookRow::BookRow() : fields_(price_columns().size()) {
  set("tenancy", "unknown").set("includes_host", "unknown");
}

BookRow& BookRow::set(std::string_view column, std::string value) {
  fields_[place_of(column)] = std::move(value);
  return *this;
}

const std::string& BookRow::at(std::string_view column) const {
  return fields_[place_of(column)];
}

std::vector<std::string> BookRow::fields() && {
  if (at("id").empty()) {
    std::string id;
    for (const std::string_view column : {"provider", "gpu_id", "gpus", "sku", "region", "kind", "as_of"}) {
      const std::string word = slug(at(column));
      id += (id.empty() || word.empty() ? "" : "-") + word + (column == "gpus" ? "x" : "");
    }
    set("id", std::move(id));
  }
  return std::move(fields_);
}

Result<BookTable> read_csv_table(std::string_view text, const BookOrigin& origin) {
  Result<CsvTable> table = parse_csv(text, origin.subject);
  if (!table) {
    return fail(table.error());
  }
  const Result<std::vector<std::size_t>> places = columns_of(table->header, origin);
  if (!places) {
    return fail(places.error());
  }
  BookTable book{.table = {price_columns(), {}}};
  const std::vector<std::string>& columns = price_columns();
  for (CsvRow& line : table->rows) {
    BookRow row;
    for (std::size_t i = 0; i < line.fields.size(); ++i) {
      if (!line.fields[i].empty()) {
        row.set(columns[(*places)[i]], std::move(line.fields[i]));
      }
    }
    add_own_row(book, std::move(row), origin, fmt::format("{}:{}", origin.subject, line.line));
  }
  return book;
}

Result<BookTable> read_json_table(std::string_view text, const BookOrigin& origin) {
  const Result<json> list = parse_json(text, origin.subject);
  if (!list) {
    return fail(list.error());
  }
  if (!list->is_array()) {
    return fail(
        {ErrorCode::invalid_input, origin.subject, "is not a list of prices", "[{\"provider\": ..., ...}, ...]"});
  }
  BookTable book{.table = {price_columns(), {}}};
  for (std::size_t i = 0; i < list->size(); ++i) {
    const json& item = (*list)[i];
    const std::string place = json_path(origin.subject + ":", i);
    if (!item.is_object()) {
      return fail({ErrorCode::invalid_input, place, "is not an object", {}});
    }
    std::vector<std::string> keys;
    for (const auto& [key, value] : item.items()) {
      keys.push_back(key);
    }
    if (const auto places = columns_of(keys, {place, origin.provider, origin.as_of}); !places) {
      return fail(places.error());
    }
    BookRow row;
    for (const auto& [key, value] : item.items()) {
      if (std::string field = text_of(value); !field.empty()) {
        row.set(key, std::move(field));
      }
    }
    add_own_row(book, std::move(row), origin, place);
  }
  return book;
}

BookFormat format_of(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start != std::string_view::npos && (text[start] == '[' || text[start] == '{')) {
    return BookFormat::json;
  }
  const std::string_view header = text.substr(0, text.find('\n'));
  const auto has = [&](std::string_view column) { return header.find(column) != std::string_view::npos; };
  if (has("AcceleratorName")) {
    return BookFormat::skypilot;
  }
  return has("instance_name") && has("gpu_name") ? BookFormat::gpuhunt : BookFormat::csv;
}

}  // namespace mekiki
