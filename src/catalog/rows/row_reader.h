// One object of a JSON file, or one line of a CSV file, to one row: strict, with one clear Error. The subject of an
// error is the file and the path in it: "gpus/nvidia.json:/3/memory_gib_reported",
// "prices/prices.csv:17:price_per_hour".
//
// Refused: a missing key, an unknown key (with "did you mean"), a wrong type, a number out of the range of its field
// (this includes negative, absurd, NaN and infinite ones), a fraction where a count is due, an unknown choice, an empty
// text where one is required, a date that is none.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "base/csv.h"
#include "base/result.h"
#include "catalog/rows/fields.h"
#include "catalog/rows/storage.h"

namespace mekiki {

/// `where` is the path of the object: "gpus/nvidia.json:/3". Texts and lists of the row live in `storage`.
template <class Row>
Result<Row> read_json_row(const nlohmann::json& object, std::string_view where, RowStorage& storage);

/// `where` is the file: "prices/prices.csv".
template <class Row>
Result<Row> read_csv_row(const CsvTable& table, const CsvRow& line, std::string_view where, RowStorage& storage);

}  // namespace mekiki
