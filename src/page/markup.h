// Text inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace mekiki {

/// The text as content of an element or of a quoted attribute, whatever it holds: markup and quotes become references,
/// control characters blanks, bytes that are no UTF-8 U+FFFD.
std::string escaped(std::string_view text);

/// How wide the text is drawn at most, in units of its font size, by a rule of thumb: 0.62 for a character of a narrow
/// script (the average of wide sans-serif fonts), 1 for one of a script that fills squares.
double drawn_width(std::string_view text);

/// The text cut at a whole character so that it is drawn no wider, with an ellipsis where something is missing.
std::string shortened(std::string_view text, double width);

}  // namespace mekiki
