#include "base/text_position.h"

#include <algorithm>

#include <fmt/format.h>

namespace mekiki {
namespace {

struct ByteRange {
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  bool holds(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    return low <= byte && byte <= high;
  }
};

// Table 3-7 of the Unicode standard: the length that a lead byte announces, and the range of the byte after it.
struct Lead {
  std::size_t length = 0;  // 0: no lead byte
  ByteRange second;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) {
    return {1, {}};
  }
  if (byte >= 0xC2 && byte <= 0xDF) {
    return {2, {}};
  }
  if (byte >= 0xE0 && byte <= 0xEF) {
    const bool surrogate = byte == 0xED;
    return {
        3,
        {static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80), static_cast<unsigned char>(surrogate ? 0x9F : 0xBF)}};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    return {4,
            {static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80),
             static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)}};
  }
  return {};
}

bool sequence_is_valid(std::string_view bytes, const Lead& lead) {
  if (lead.length == 0 || bytes.size() < lead.length) {
    return false;
  }
  for (std::size_t i = 1; i < lead.length; ++i) {
    const ByteRange range = i == 1 ? lead.second : ByteRange{};
    if (!range.holds(bytes[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace

TextPosition position_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
  return {static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1, before.size() - line_start + 1};
}

std::string describe(TextPosition position) {
  return fmt::format("line {}, column {}", position.line, position.column);
}

std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[i]));
    if (!sequence_is_valid(text.substr(i), lead)) {
      return i;
    }
    i += lead.length;
  }
  return std::nullopt;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace mekiki
