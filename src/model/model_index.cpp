#include "model/model_index.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/amount.h"
#include "base/csv.h"

namespace mekiki {
namespace {

/// A table whose named columns are all there.
struct Columns {
  CsvTable table;
  std::vector<std::size_t> indices;

  const std::string& field(const CsvRow& row, std::size_t column) const { return row.fields[indices[column]]; }
};

Result<Columns> read_columns(std::string_view csv_text,
                             std::string_view subject,
                             std::initializer_list<std::string_view> names) {
  Result<CsvTable> table = parse_csv(csv_text, subject);
  if (!table) {
    return fail(table.error());
  }
  Columns columns{std::move(*table), {}};
  for (const std::string_view name : names) {
    const std::optional<std::size_t> index = column_of(columns.table, name);
    if (!index) {
      return fail({ErrorCode::invalid_input, std::string(subject), "column " + std::string(name) + " is missing", {}});
    }
    columns.indices.push_back(*index);
  }
  return columns;
}

Error at_line(std::string_view subject, const CsvRow& row, std::string message) {
  return {ErrorCode::invalid_input, std::string(subject) + ":" + std::to_string(row.line), std::move(message), {}};
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    if (end > start) {
      found.emplace_back(text.substr(start, end - start));
    }
    start = end + 1;
  }
  return found;
}

}  // namespace

Result<std::vector<ModelIndexRow>> parse_model_index(std::string_view csv_text, std::string_view subject) {
  const auto columns =
      read_columns(csv_text, subject, {"id", "repository", "aliases", "file", "shape", "status", "source", "note"});
  if (!columns) {
    return fail(columns.error());
  }
  std::vector<ModelIndexRow> rows;
  std::set<std::string_view> ids;
  for (const CsvRow& row : columns->table.rows) {
    const auto field = [&](std::size_t column) -> const std::string& { return columns->field(row, column); };
    if (field(0).empty() || field(1).empty() || field(3).empty()) {
      return fail(at_line(subject, row, "id, repository and file must not be empty"));
    }
    if (!ids.insert(field(0)).second) {
      return fail(at_line(subject, row, "id \"" + field(0) + "\" is given twice"));
    }
    rows.push_back({field(0), field(1), words(field(2)), field(3), field(4), field(5), field(6), field(7)});
  }
  return rows;
}

Result<std::vector<StoredDifferenceRow>> parse_stored_differences(std::string_view csv_text, std::string_view subject) {
  const auto columns = read_columns(csv_text, subject, {"repository", "kind", "elements"});
  if (!columns) {
    return fail(columns.error());
  }
  std::vector<StoredDifferenceRow> rows;
  for (const CsvRow& row : columns->table.rows) {
    const std::string& kind_text = columns->field(row, 1);
    const auto kind = enum_from_name<StoredDifferenceKind>(kind_text);
    const auto elements = parse_count(columns->field(row, 2));
    if (!kind) {
      return fail(at_line(subject, row, "kind \"" + kind_text + "\" is not known"));
    }
    if (!elements) {
      return fail(within(std::string(subject) + ":" + std::to_string(row.line), elements.error()));
    }
    rows.push_back({columns->field(row, 0), {*kind, *elements}});
  }
  return rows;
}

Arch with_stored_differences(Arch arch, std::string_view repository, std::span<const StoredDifferenceRow> rows) {
  for (const StoredDifferenceRow& row : rows) {
    if (row.repository == repository) {
      arch.stored_differences.push_back(row.difference);
    }
  }
  return arch;
}

Result<std::vector<RowModel>> parse_row_models(std::string_view csv_text, std::string_view subject) {
  const auto columns =
      read_columns(csv_text, subject, {"model_text", "config_id", "truncated_layers", "basis", "note", "file"});
  if (!columns) {
    return fail(columns.error());
  }
  std::vector<RowModel> rows;
  std::set<std::string_view> texts;
  for (const CsvRow& row : columns->table.rows) {
    const auto field = [&](std::size_t column) -> const std::string& { return columns->field(row, column); };
    if (field(0).empty() || !texts.insert(field(0)).second) {
      return fail(at_line(subject, row, "model_text \"" + field(0) + "\" is empty or given twice"));
    }
    RowModel model{field(0), field(1), std::nullopt, field(3), field(4), field(5)};
    if (!field(2).empty()) {
      const auto layers = parse_count(field(2));
      if (!layers || *layers < 1) {
        return fail(at_line(subject, row, "truncated_layers must be a positive count, is \"" + field(2) + "\""));
      }
      model.truncated_layers = *layers;
    }
    rows.push_back(std::move(model));
  }
  return rows;
}

}  // namespace mekiki
