// Letters of names that are compared without their case.
#pragma once

#include <string>
#include <string_view>

namespace mekiki {

/// A to Z as a to z; every other byte stays.
std::string lower_case(std::string_view text);

}  // namespace mekiki
