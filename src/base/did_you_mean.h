// "Did you mean": the nearest of the known words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mekiki {

/// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other; bytes, case ignored.
int edit_distance(std::string_view a, std::string_view b);

/// Up to `limit` known words that are near enough to be a slip of the given one, nearest first, ties in given order.
std::vector<std::string_view> nearest_words(std::string_view word,
                                            std::span<const std::string_view> known,
                                            std::size_t limit = 3);

/// "did you mean a, b?", or an empty text where nothing is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// "one of a, b", or an empty text where nothing is known.
std::string one_of(std::span<const std::string_view> known);

/// The near ones, or all where none is near.
std::string did_you_mean_or_one_of(std::string_view word, std::span<const std::string_view> known);

}  // namespace mekiki
