// Name: a short text that outlives every value that mentions it. It views a literal, a table compiled into the binary,
// or the storage of a catalogue, which is kept for the whole run. Copying one costs nothing, so ops, tensors and rows
// hold Names and stay trivially copyable.
#pragma once

#include <string_view>

namespace mekiki {

using Name = std::string_view;

}  // namespace mekiki
