// Files of the data folder by their path in it ("gpus/nvidia.json"). Reading them is somebody else's work.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mekiki {

struct DataFile {
  std::string path;  // with forward slashes, from the data folder
  std::string text;
};

enum class DataKind : std::uint8_t {
  gpus,           // gpus/*.json
  gpu_aliases,    // gpus/*.csv
  systems,        // systems/*.json
  providers,      // providers/*.json
  sources,        // sources.csv
  prices,         // prices/prices*.csv, prices/*.json
  price_gpus,     // prices/gpu_ids*.csv
  measured_list,  // measured/files.csv
  gemm,           // measured/gemm/*.csv
  attention,      // measured/attention/*.csv
  collectives,    // measured/collectives/*.csv
  document,       // models/, profiles/, messages/, reference/, measured/*.json, the rest of prices/
  ignored         // schema/, *.md
};

/// What a file is, by its path alone. A path that is none of these is not_found, with the folders that there are: a
/// slip in a folder's name must not turn a file into nothing.
Result<DataKind> data_kind(std::string_view path);

}  // namespace mekiki
