// The catalogue of bundled models: which config file a name means, what each checkpoint stores besides its weights, and
// which config a row of measurements talks about. Text in, values out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/arch.h"

namespace mekiki {

/// One bundled config. `shape` is the id of the first row of the same shape (its own, if there is none).
struct ModelIndexRow {
  std::string id;
  std::string repository;  // as published, or the id again for a model that is known by its dimensions only
  std::vector<std::string> aliases;
  std::string file;
  std::string shape;
  std::string status;
  std::string source;
  std::string note;
};

/// data/models/index.csv: id, repository, aliases (joined by spaces), file, shape, status, source, note. Errors:
/// invalid_input for a missing column, an empty id or file, an id given twice.
Result<std::vector<ModelIndexRow>> parse_model_index(std::string_view csv_text, std::string_view subject);

/// What one checkpoint stores besides; repository as in the index.
struct StoredDifferenceRow {
  std::string repository;
  StoredDifference difference;
};

/// data/models/stored.csv: repository, kind, elements, source.
Result<std::vector<StoredDifferenceRow>> parse_stored_differences(std::string_view csv_text, std::string_view subject);

/// The model with the differences that its published checkpoint is known for.
Arch with_stored_differences(Arch arch, std::string_view repository, std::span<const StoredDifferenceRow> rows);

/// What a row of measurements means by its model text.
struct RowModel {
  std::string model_text;
  std::string config_id;  // repository of the index; empty: unknown, `note` says why
  std::optional<std::int64_t> truncated_layers;
  std::string basis;
  std::string note;
  std::string file;  // relative to the folder of the table; empty where the id is bundled
};

/// row_models.csv: model_text, config_id, truncated_layers, basis, note, file. A text given twice is an error.
Result<std::vector<RowModel>> parse_row_models(std::string_view csv_text, std::string_view subject);

}  // namespace mekiki
