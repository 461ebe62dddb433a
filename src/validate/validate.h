// `mekiki validate`: text of a file of measured rows in, predictions and scores out.
//
// A row takes from the file only what a user knows before the run; rows.h holds the line. Row errors are part of the
// answer; an error of the whole call is an unreadable file, a bad header or bad data of our own.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "catalog/catalog.h"
#include "validate/row_models.h"

namespace mekiki {

struct ValidationInput {
  std::string_view csv_text;
  std::string_view subject;  // the file's name, for errors
  ModelFolder models;        // empty: bundled models only
  /// Predicts every row as if its framework were this one; empty: as the row says. A control, not a prediction.
  std::string_view framework = {};
};

/// What stands at the top of every JSON answer.
struct AnswerHeader {
  std::string_view mekiki_version;
  std::string_view as_of;  // YYYY-MM-DD
};

/// JSON as docs/validation.md describes it: rows in file order, then the summary.
Result<std::string> validate_memory_json(const ValidationInput& input,
                                         const Catalog& catalog,
                                         const AnswerHeader& header);
Result<std::string> validate_throughput_json(const ValidationInput& input,
                                             const Catalog& catalog,
                                             const AnswerHeader& header);

/// The summary as tables of numbers; headings are the keys of the JSON.
Result<std::string> validate_memory_text(const ValidationInput& input, const Catalog& catalog);
Result<std::string> validate_throughput_text(const ValidationInput& input, const Catalog& catalog);

}  // namespace mekiki
