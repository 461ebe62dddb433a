// Where in a text something was found, as an editor counts: from line 1, column 1. Columns are bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mekiki {

struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
  bool operator==(const TextPosition&) const = default;
};

/// Position of the byte at `offset`; an offset past the end is the end.
TextPosition position_at(std::string_view text, std::size_t offset);

/// "line 3, column 17".
std::string describe(TextPosition position);

/// Offset of the first byte that is not well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates); unset: none.
std::optional<std::size_t> find_invalid_utf8(std::string_view text);

/// The text without a leading UTF-8 byte order mark, which Windows editors add.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace mekiki
