// What must hold between rows, over a whole catalogue: one Error names the row and what it lacks.
#pragma once

#include "base/result.h"
#include "catalog/rows/tables.h"

namespace mekiki {

/// Every row that a row names exists (GPU of a system, an alias, a measured table; provider of a system, a price; GPU
/// name of a price); links of a system rise in width and reach all its GPUs; measured keys rise.
Status check_tables(const Catalog& catalog);

}  // namespace mekiki
