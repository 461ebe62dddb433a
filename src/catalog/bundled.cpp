#include "catalog/bundled_parts.h"
#include "catalog/catalog.h"

namespace mekiki {

const Catalog& bundled_catalog() {
  static const Catalog catalog = {bundled::kRowTables.gpus,
                                  bundled::kRowTables.gpu_aliases,
                                  bundled::kRowTables.systems,
                                  bundled::kRowTables.providers,
                                  bundled::kRowTables.sources,
                                  bundled::kRowTables.prices,
                                  bundled::kRowTables.price_gpus,
                                  bundled::kMeasuredTables.gemm_surfaces,
                                  bundled::kMeasuredTables.attention_surfaces,
                                  bundled::kMeasuredTables.collective_curves,
                                  bundled::kDocuments,
                                  bundled::kRowTables.digest};
  return catalog;
}

}  // namespace mekiki
