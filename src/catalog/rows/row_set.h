// Data files to rows: every table of a data folder, or of an overlay over one.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "catalog/rows/data_file.h"
#include "catalog/rows/storage.h"
#include "catalog/rows/tables.h"

namespace mekiki {

/// The rows of some data files, with the memory behind them. Documents are not part of it.
struct RowSet {
  RowStorage storage;
  std::vector<Gpu> gpus;
  std::vector<GpuAlias> gpu_aliases;
  std::vector<System> systems;
  std::vector<Provider> providers;
  std::vector<Source> sources;
  std::vector<Price> prices;
  std::vector<PriceGpu> price_gpus;
  std::vector<GemmSurface> gemm_surfaces;
  std::vector<AttentionSurface> attention_surfaces;
  std::vector<CollectiveCurve> collective_curves;
};

/// Reads all files that hold rows, in the order of their paths. `known_gpus` are those of the catalogue that is laid
/// over: measured rates need a GPU's peak. Errors name file and place; two rows of one key in one set are an error.
Result<RowSet> read_rows(std::span<const DataFile> files, std::span<const Gpu> known_gpus = {});

/// The rows as spans; documents and digest stay empty.
Catalog tables_of(const RowSet& rows);

}  // namespace mekiki
