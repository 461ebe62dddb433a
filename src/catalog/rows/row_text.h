// Rows as text: one canonical form for digests and comparisons, and C++ aggregate initialisers for what is compiled in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "catalog/rows/tables.h"

namespace mekiki {

/// "key=value;" of every field; equal rows give equal texts on every machine.
template <class Row>
std::string canonical_text(const Row& row);

/// FNV-1a, 64 bits, over all rows and documents: 16 hexadecimal digits. Independent of the order of the files.
std::string digest_of(const Catalog& catalog);

/// The number as a C++ literal that reads back to the same double.
std::string double_literal(double value);

/// The text as a C++ string literal, cut into lines; any byte may stand in it.
std::string string_literal(std::string_view text);

}  // namespace mekiki
