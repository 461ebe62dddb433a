// Words of a field that holds several, and a field as one word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mekiki {

/// What stands between spaces, in order; nothing of an empty text.
std::vector<std::string> words_of(std::string_view text);

/// `text` as a part of an id: ASCII letters in lower case, digits, dots and underscores stay, whatever stands between
/// or behind them becomes one dash.
std::string slug(std::string_view text);

}  // namespace mekiki
