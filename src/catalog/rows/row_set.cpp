#include "catalog/rows/row_set.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/csv.h"
#include "base/json.h"
#include "catalog/rows/measured_reader.h"
#include "catalog/rows/row_reader.h"

namespace mekiki {
namespace {

// Carries the growing set through the files. Each member appends the rows of one file.
class SetReader {
 public:
  explicit SetReader(std::span<const Gpu> known_gpus) : known_gpus_(known_gpus) {}

  Status read(const DataFile& file, DataKind kind) {
    switch (kind) {
      case DataKind::gpus:
        return json_rows(file, rows_.gpus);
      case DataKind::systems:
        return json_rows(file, rows_.systems);
      case DataKind::providers:
        return json_rows(file, rows_.providers);
      case DataKind::prices:
        return file.path.ends_with(".json") ? json_rows(file, rows_.prices) : csv_rows(file, rows_.prices);
      case DataKind::gpu_aliases:
        return csv_rows(file, rows_.gpu_aliases);
      case DataKind::sources:
        return csv_rows(file, rows_.sources);
      case DataKind::price_gpus:
        return csv_rows(file, rows_.price_gpus);
      case DataKind::measured_list:
        return measured_list(file);
      case DataKind::gemm:
      case DataKind::attention:
      case DataKind::collectives:
        return measured(file, kind);
      case DataKind::document:
      case DataKind::ignored:
        return {};
    }
    return {};
  }

  RowSet take() { return std::move(rows_); }

 private:
  template <class Row>
  Status json_rows(const DataFile& file, std::vector<Row>& rows) {
    const Result<nlohmann::json> parsed = parse_json(file.text, file.path);
    if (!parsed) {
      return fail(parsed.error());
    }
    if (!parsed->is_array()) {
      return fail({ErrorCode::invalid_input, file.path, "is not a list of rows", "write [ {...}, {...} ]"});
    }
    for (std::size_t i = 0; i < parsed->size(); ++i) {
      Result<Row> row = read_json_row<Row>((*parsed)[i], json_path(file.path + ":", i), rows_.storage);
      if (!row) {
        return fail(std::move(row.error()));
      }
      rows.push_back(*row);
    }
    return {};
  }

  template <class Row>
  Status csv_rows(const DataFile& file, std::vector<Row>& rows) {
    const Result<CsvTable> table = parse_csv(file.text, file.path);
    if (!table) {
      return fail(table.error());
    }
    for (const CsvRow& line : table->rows) {
      Result<Row> row = read_csv_row<Row>(*table, line, file.path, rows_.storage);
      if (!row) {
        return fail(std::move(row.error()));
      }
      rows.push_back(*row);
    }
    return {};
  }

  Status measured_list(const DataFile& file) {
    const Result<CsvTable> table = parse_csv(file.text, file.path);
    if (!table) {
      return fail(table.error());
    }
    Result<std::vector<MeasuredFile>> files = read_measured_list(*table, file.path, rows_.storage);
    if (!files) {
      return fail(files.error());
    }
    measured_files_ = std::move(*files);
    return {};
  }

  Status measured(const DataFile& file, DataKind kind) {
    const auto listed = std::find_if(
        measured_files_.begin(), measured_files_.end(), [&](const MeasuredFile& m) { return m.file == file.path; });
    if (listed == measured_files_.end()) {
      return fail({ErrorCode::invalid_input,
                   file.path,
                   "is not listed in measured/files.csv",
                   "a measured table needs a line there with its GPU and its source"});
    }
    const Gpu* gpu = find_gpu(listed->gpu_id);
    if (gpu == nullptr) {
      return fail({ErrorCode::not_found, file.path, fmt::format("there is no GPU \"{}\"", listed->gpu_id), {}});
    }
    const Result<CsvTable> table = parse_csv(file.text, file.path);
    if (!table) {
      return fail(table.error());
    }
    switch (kind) {
      case DataKind::gemm:
        return append(read_gemm(*table, *listed, *gpu, rows_.storage), rows_.gemm_surfaces);
      case DataKind::attention:
        return append(read_attention(*table, *listed, rows_.storage), rows_.attention_surfaces);
      default:
        return append(read_collectives(*table, *listed, rows_.storage), rows_.collective_curves);
    }
  }

  template <class T>
  static Status append(Result<std::vector<T>> read, std::vector<T>& to) {
    if (!read) {
      return fail(std::move(read.error()));
    }
    to.insert(to.end(), read->begin(), read->end());
    return {};
  }

  const Gpu* find_gpu(std::string_view id) const {
    for (const std::span<const Gpu> gpus : {std::span<const Gpu>(rows_.gpus), known_gpus_}) {
      const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.id == id; });
      if (found != gpus.end()) {
        return &*found;
      }
    }
    return nullptr;
  }

  std::span<const Gpu> known_gpus_;
  std::vector<MeasuredFile> measured_files_;
  RowSet rows_;
};

template <class Row>
Status refuse_double_keys(std::span<const Row> rows) {
  std::set<Name> seen;
  for (const Row& row : rows) {
    if (!seen.insert(row_key(row)).second) {
      return fail({ErrorCode::conflict,
                   std::string(Fields<Row>::kKind),
                   fmt::format("the id \"{}\" is given twice", row_key(row)),
                   {}});
    }
  }
  return {};
}

Status refuse_double_keys(const RowSet& rows) {
  const std::vector<Status> checks = {refuse_double_keys<Gpu>(rows.gpus),
                                      refuse_double_keys<System>(rows.systems),
                                      refuse_double_keys<Provider>(rows.providers),
                                      refuse_double_keys<Source>(rows.sources),
                                      refuse_double_keys<Price>(rows.prices)};
  const auto bad = std::find_if(checks.begin(), checks.end(), [](const Status& status) { return !status; });
  return bad == checks.end() ? Status{} : *bad;
}

}  // namespace

Result<RowSet> read_rows(std::span<const DataFile> files, std::span<const Gpu> known_gpus) {
  // GPUs and the list of measured tables come before the tables that need them.
  std::map<std::pair<DataKind, std::string_view>, const DataFile*> ordered;
  for (const DataFile& file : files) {
    const Result<DataKind> kind = data_kind(file.path);
    if (!kind) {
      return fail(kind.error());
    }
    ordered.emplace(std::pair{*kind, std::string_view(file.path)}, &file);
  }
  SetReader reader(known_gpus);
  for (const auto& [key, file] : ordered) {
    if (const Status status = reader.read(*file, key.first); !status) {
      return fail(status.error());
    }
  }
  RowSet rows = reader.take();
  if (const Status status = refuse_double_keys(rows); !status) {
    return fail(status.error());
  }
  return rows;
}

Catalog tables_of(const RowSet& rows) {
  return {rows.gpus,
          rows.gpu_aliases,
          rows.systems,
          rows.providers,
          rows.sources,
          rows.prices,
          rows.price_gpus,
          rows.gemm_surfaces,
          rows.attention_surfaces,
          rows.collective_curves,
          {},
          {}};
}

}  // namespace mekiki
