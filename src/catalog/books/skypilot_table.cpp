#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/amount.h"
#include "catalog/books/book_table.h"

namespace mekiki {
namespace {

// Where the columns of this file stand; their order differs from cloud to cloud.
struct Columns {
  std::optional<std::size_t> instance, accelerator, count, info, price, spot, region, zone;
};

Columns columns_in(const CsvTable& table) {
  return {.instance = column_of(table, "InstanceType"),
          .accelerator = column_of(table, "AcceleratorName"),
          .count = column_of(table, "AcceleratorCount"),
          .info = column_of(table, "GpuInfo"),
          .price = column_of(table, "Price"),
          .spot = column_of(table, "SpotPrice"),
          .region = column_of(table, "Region"),
          .zone = column_of(table, "AvailabilityZone")};
}

std::string field(const CsvRow& line, const std::optional<std::size_t>& column) {
  return column ? line.fields[*column] : std::string{};
}

// The text between the quotes after a key of GpuInfo, which is a Python dict, JSON or a bare word. Empty: not there.
std::string info_text(const std::string& info, std::string_view key) {
  const std::size_t at = info.find(key);
  const std::size_t open = at == std::string::npos ? at : info.find_first_of("'\"", info.find(':', at));
  const std::size_t close = open == std::string::npos ? open : info.find(info[open], open + 1);
  return close == std::string::npos ? std::string{} : info.substr(open + 1, close - open - 1);
}

std::optional<double> info_number(const std::string& info, std::string_view key) {
  const std::size_t at = info.find(key);
  const std::size_t begin = at == std::string::npos ? at : info.find_first_of("0123456789", at + key.size());
  if (begin == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t end = std::min(info.find_first_not_of("0123456789.", begin), info.size());
  const Result<double> number = parse_number(info.substr(begin, end - begin));
  return number ? std::optional<double>(*number) : std::nullopt;
}

// Memory of one GPU. Some clouds write GiB into the field of MiB, and some write 0: no GPU has less than 1 GiB, none
// has more than 1 TiB.
std::optional<Bytes> memory_of(const std::string& info) {
  const std::optional<double> size = info_number(info, "SizeInMiB");
  if (!size || *size <= 0) {
    return std::nullopt;
  }
  return *size < 1024.0 ? *size * kGiB : *size * kMiB;
}

// The name in GpuInfo where it says more than the accelerator's: it may tell the form.
std::string gpu_name(const std::string& accelerator, const std::string& info) {
  const std::string name = info_text(info, "Name");
  const bool says_form = name.find("PCIe") != std::string::npos || name.find("SXM") != std::string::npos ||
                         name.find("NVL") != std::string::npos;
  return says_form ? name : accelerator;
}

// "8.0" is 8.
std::string whole_number(const std::string& text) {
  const Result<double> number = parse_number(text);
  return number && *number == static_cast<double>(static_cast<std::int64_t>(*number))
             ? std::to_string(static_cast<std::int64_t>(*number))
             : text;
}

struct SkypilotRow {
  std::string instance, accelerator, gpus, info, region;
  std::string place;
};

void add_price(
    BookTable& book, const SkypilotRow& from, const BookOrigin& origin, const char* kind, std::string price) {
  BookRow row;
  row.set("provider", origin.provider)
      .set("sku", from.instance)
      .set("gpu_id", gpu_name(from.accelerator, from.info))
      .set("gpus", from.gpus)
      .set("region", from.region)
      .set("kind", kind)
      .set("price_per_hour", std::move(price))
      .set("currency", "USD")
      .set("as_of", origin.as_of)
      .set("includes_host", from.instance.empty() ? "no" : "yes")
      .set("source", "SkyPilot catalogue, " + from.place);
  book.table.rows.push_back({book.table.rows.size() + 2, std::move(row).fields()});
  book.gpu_memory.push_back(memory_of(from.info));
  book.places.push_back(from.place);
}

}  // namespace

Result<BookTable> read_skypilot_table(std::string_view text, const BookOrigin& origin) {
  const Result<CsvTable> table = parse_csv(text, origin.subject);
  if (!table) {
    return fail(table.error());
  }
  const Columns columns = columns_in(*table);
  if (!columns.accelerator || !columns.count || !columns.price || !columns.instance) {
    return fail({ErrorCode::invalid_input,
                 origin.subject + ":1",
                 "is no vms.csv of a SkyPilot catalogue",
                 "it needs InstanceType, AcceleratorName, AcceleratorCount and Price"});
  }
  BookTable book{.table = {price_columns(), {}}};
  for (const CsvRow& line : table->rows) {
    const std::string zone = field(line, columns.zone);
    const SkypilotRow row{.instance = field(line, columns.instance),
                          .accelerator = field(line, columns.accelerator),
                          .gpus = whole_number(field(line, columns.count)),
                          .info = field(line, columns.info),
                          .region = zone.empty() ? field(line, columns.region) : zone,
                          .place = fmt::format("{}:{}", origin.subject, line.line)};
    if (row.accelerator.empty() || row.gpus.empty() || row.gpus == "0") {
      ++book.without_gpu;
      continue;
    }
    const std::string price = field(line, columns.price), spot = field(line, columns.spot);
    // Without any price the row still is one: the reader counts it as a fault.
    if (!price.empty() || spot.empty()) {
      add_price(book, row, origin, "on_demand", price);
    }
    if (!spot.empty()) {
      add_price(book, row, origin, "spot", spot);
    }
  }
  return book;
}

}  // namespace mekiki
