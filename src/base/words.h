// Words of a field that holds several.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mekiki {

/// What stands between spaces, in order; nothing of an empty text.
std::vector<std::string> words_of(std::string_view text);

}  // namespace mekiki
