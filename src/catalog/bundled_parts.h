// What the generated sources define, and bundled_catalog() puts together. For nobody else.
#pragma once

#include "catalog/rows/tables.h"

namespace mekiki::bundled {

struct RowTables {
  std::span<const Gpu> gpus;
  std::span<const GpuAlias> gpu_aliases;
  std::span<const System> systems;
  std::span<const Provider> providers;
  std::span<const Source> sources;
  std::span<const Price> prices;
  std::span<const PriceGpu> price_gpus;
  std::string_view digest;
};

struct MeasuredTables {
  std::span<const GemmSurface> gemm_surfaces;
  std::span<const AttentionSurface> attention_surfaces;
  std::span<const CollectiveCurve> collective_curves;
};

extern const RowTables kRowTables;
extern const MeasuredTables kMeasuredTables;
extern const std::span<const Document> kDocuments;

}  // namespace mekiki::bundled
