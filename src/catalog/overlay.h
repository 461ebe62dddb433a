// A user's own data laid over a catalogue: rows of one kind and key replace, others are added.
#pragma once

#include <memory>
#include <span>

#include "base/result.h"
#include "catalog/rows/data_file.h"
#include "catalog/rows/tables.h"

namespace mekiki {

/// `files` are those of a data folder, with paths from it ("gpus/mine.json", "profiles/ID/time.json"). Keys: the id of
/// a row; all of an alias; book name and sku of a price's GPU; GPU and kind of a measured table. A GPU whose
/// peak changes keeps its measured rates, not its measured shares. The digest is that of the result. Texts of the files
/// live in the result; those of `base` do not: it must outlive the result. Errors as of read_rows and check_tables.
Result<std::shared_ptr<const Catalog>> overlay(const Catalog& base, std::span<const DataFile> files);

}  // namespace mekiki
