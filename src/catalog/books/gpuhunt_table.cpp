#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/amount.h"
#include "catalog/books/book_table.h"

namespace mekiki {
namespace {

struct Columns {
  std::size_t instance, location, price, gpus, gpu, memory, spot;
};

std::optional<Columns> columns_in(const CsvTable& table) {
  const auto instance = column_of(table, "instance_name"), location = column_of(table, "location");
  const auto price = column_of(table, "price"), gpus = column_of(table, "gpu_count");
  const auto gpu = column_of(table, "gpu_name"), memory = column_of(table, "gpu_memory");
  const auto spot = column_of(table, "spot");
  if (!instance || !location || !price || !gpus || !gpu || !memory || !spot) {
    return std::nullopt;
  }
  return Columns{*instance, *location, *price, *gpus, *gpu, *memory, *spot};
}

}  // namespace

Result<BookTable> read_gpuhunt_table(std::string_view text, const BookOrigin& origin) {
  const Result<CsvTable> table = parse_csv(text, origin.subject);
  if (!table) {
    return fail(table.error());
  }
  const std::optional<Columns> columns = columns_in(*table);
  if (!columns) {
    return fail({ErrorCode::invalid_input,
                 origin.subject + ":1",
                 "is no catalogue of gpuhunt",
                 "it needs instance_name, location, price, gpu_count, gpu_name, gpu_memory and spot"});
  }
  BookTable book{.table = {price_columns(), {}}};
  for (const CsvRow& line : table->rows) {
    const auto& fields = line.fields;
    if (fields[columns->gpus] == "0" || fields[columns->gpu].empty() || fields[columns->gpu].starts_with("tpu-")) {
      ++book.without_gpu;
      continue;
    }
    const std::string place = fmt::format("{}:{}", origin.subject, line.line);
    BookRow row;
    row.set("provider", origin.provider)
        .set("sku", fields[columns->instance])
        .set("gpu_id", fields[columns->gpu])
        .set("gpus", fields[columns->gpus])
        .set("region", fields[columns->location])
        .set("kind", fields[columns->spot] == "True" ? "spot" : "on_demand")
        .set("price_per_hour", fields[columns->price])
        .set("currency", "USD")
        .set("as_of", origin.as_of)
        .set("includes_host", "yes")
        .set("source", "gpuhunt catalogue, " + place);
    book.table.rows.push_back({book.table.rows.size() + 2, std::move(row).fields()});
    const Result<double> memory = parse_number(fields[columns->memory]);
    book.gpu_memory.push_back(memory && *memory > 0 ? std::optional<Bytes>(*memory * kGiB) : std::nullopt);
    book.places.push_back(place);
  }
  return book;
}

}  // namespace mekiki
