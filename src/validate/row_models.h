// The models that rows mention, read once per text.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "catalog/rows/data_file.h"
#include "model/arch.h"

namespace mekiki {

/// A folder that a user names with --models: its row_models.csv and configs, paths from the folder.
using ModelFolder = std::span<const DataFile>;

inline constexpr std::string_view kRowModelsFile = "row_models.csv";

using ArchOfText = std::map<std::string, Result<Arch>, std::less<>>;

/// What each text means: the folder's row_models.csv first, then the bundled one, then the catalogue of models by name;
/// a folder without a row_models.csv may hold configs named after the model ("owner__name.json"). A text may carry
/// remarks in brackets behind the name. Errors of the whole: an unreadable table. Errors per text: not_found, those of
/// read_config, and the table's own note where it knows of no config.
Result<ArchOfText> archs_of_texts(std::span<const std::string> texts, const Catalog& catalog, ModelFolder folder);

}  // namespace mekiki
