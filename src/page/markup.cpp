#include "page/markup.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace mekiki {
namespace {

// One character of a text: its bytes and its code point; none for a byte that begins no good sequence.
struct Character {
  std::string_view bytes;
  std::optional<std::uint32_t> code;
};

Character next_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) {
    return {text.substr(0, 1), first};
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t code = first & (0xFFu >> (length + 1));
  const bool begins = first >= 0xC2 && first <= 0xF4;
  if (!begins || text.size() < length) {
    return {text.substr(0, 1), std::nullopt};
  }
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0u) != 0x80u) {
      return {text.substr(0, 1), std::nullopt};
    }
    code = (code << 6u) | (byte & 0x3Fu);
  }
  constexpr std::uint32_t kFirstOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool good = code >= kFirstOfLength[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return good ? Character{text.substr(0, length), code} : Character{text.substr(0, 1), std::nullopt};
}

std::string_view markup_of(const Character& character) {
  if (!character.code) {
    return "\xEF\xBF\xBD";
  }
  switch (*character.code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      break;
  }
  const bool control = *character.code < 0x20 || (*character.code >= 0x7F && *character.code < 0xA0);
  // Marks that turn the direction of writing can make a text look like another one.
  const bool turns = (*character.code >= 0x202A && *character.code <= 0x202E) ||
                     (*character.code >= 0x2066 && *character.code <= 0x2069);
  return control || turns ? std::string_view(" ") : character.bytes;
}

// Scripts whose characters fill a square begin at Hangul Jamo.
constexpr std::uint32_t kFirstWide = 0x1100;
constexpr double kNarrow = 0.62, kWide = 1.0;

double width_of(const Character& character) {
  return character.code && *character.code >= kFirstWide ? kWide : kNarrow;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string markup;
  while (!text.empty()) {
    const Character character = next_character(text);
    markup += markup_of(character);
    text.remove_prefix(character.bytes.size());
  }
  return markup;
}

double drawn_width(std::string_view text) {
  double width = 0;
  while (!text.empty()) {
    const Character character = next_character(text);
    width += width_of(character);
    text.remove_prefix(character.bytes.size());
  }
  return width;
}

std::string shortened(std::string_view text, double width) {
  if (drawn_width(text) <= width) {
    return std::string(text);
  }
  std::string kept;
  double used = kWide;  // of the ellipsis
  while (!text.empty()) {
    const Character character = next_character(text);
    used += width_of(character);
    if (used > width) {
      break;
    }
    kept += character.bytes;
    text.remove_prefix(character.bytes.size());
  }
  return kept + "\xE2\x80\xA6";
}

}  // namespace mekiki
