// The catalogue as C++ source: constexpr arrays that cost nothing when the program starts.
#pragma once

#include <span>
#include <string>

#include "catalog/rows/tables.h"

namespace mekiki {

/// A definition of mekiki::bundled_tables() (GPUs, systems, prices and the like), with the digest.
std::string emit_rows(const Catalog& catalog);

/// Definitions of the measured tables that emit_rows refers to.
std::string emit_measured(const Catalog& catalog);

/// Definition of the documents that emit_rows refers to.
std::string emit_documents(std::span<const Document> documents);

}  // namespace mekiki
