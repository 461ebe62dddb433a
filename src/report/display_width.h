// Columns that a text takes on a terminal, so that tables line up in Japanese too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mekiki {

/// East Asian wide and full-width characters take two columns, combining marks none, all others one; ambiguous ones
/// count as one. Bytes that are no UTF-8 take one each. Source: Unicode 15 EastAsianWidth.txt, blocks of W and F.
std::size_t display_width(std::string_view text);

enum class Align : std::uint8_t { left, right };

/// The text with blanks up to `width` columns; a wider text stays as it is.
std::string padded(std::string_view text, std::size_t width, Align align);

/// Lines of at most `width` columns, broken at blanks or between wide characters; a longer word stays whole. Every
/// line after the first starts with `indent`.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

}  // namespace mekiki
