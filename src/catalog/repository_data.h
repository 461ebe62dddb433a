// The repository's data folder as DataFiles. Defined among the tests, for tests only.
#pragma once

#include <vector>

#include "catalog/rows/data_file.h"

namespace mekiki {

/// Every JSON and CSV file below data/, by path.
std::vector<DataFile> repository_data_files();

}  // namespace mekiki
