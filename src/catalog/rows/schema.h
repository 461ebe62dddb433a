// JSON Schemas of the rows, from the same table of fields that reads them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mekiki {

struct SchemaFile {
  std::string_view name;  // "gpu.schema.json"
  std::string text;
};

/// One per kind of row that is written as JSON (draft 2020-12), by name. Rows of CSV files have the same keys as
/// columns.
std::vector<SchemaFile> schema_files();

}  // namespace mekiki
