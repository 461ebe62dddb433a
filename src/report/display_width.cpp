#include "report/display_width.h"

#include <algorithm>
#include <iterator>

namespace mekiki {
namespace {

struct CodeRange {
  char32_t first, last;
};

constexpr CodeRange kWide[] = {{0x1100, 0x115F},
                               {0x2E80, 0x303E},
                               {0x3041, 0x33FF},
                               {0x3400, 0x4DBF},
                               {0x4E00, 0x9FFF},
                               {0xA000, 0xA4CF},
                               {0xA960, 0xA97F},
                               {0xAC00, 0xD7A3},
                               {0xF900, 0xFAFF},
                               {0xFE30, 0xFE6F},
                               {0xFF00, 0xFF60},
                               {0xFFE0, 0xFFE6},
                               {0x1B000, 0x1B2FF},
                               {0x1F300, 0x1F64F},
                               {0x1F900, 0x1F9FF},
                               {0x20000, 0x3FFFD}};
constexpr CodeRange kZero[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}};

template <std::size_t N>
bool in(const CodeRange (&ranges)[N], char32_t code) {
  return std::any_of(
      std::begin(ranges), std::end(ranges), [&](CodeRange r) { return r.first <= code && code <= r.last; });
}

struct Character {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

Character first_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  const std::size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  if (length == 1 || length > text.size()) {
    return {};
  }
  char32_t code = byte & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0) != 0x80) {
      return {};
    }
    code = (code << 6) | (next & 0x3Fu);
  }
  return {length, in(kZero, code) ? 0u : in(kWide, code) ? 2u : 1u};
}

// Characters that must not start a line in Japanese.
bool sticks_to_the_left(std::string_view character) {
  constexpr std::string_view kClosing[] = {"、", "。", "）", "」", "』", "・", "ー", "：", "％", "］"};
  return std::find(std::begin(kClosing), std::end(kClosing), character) != std::end(kClosing);
}

// The shortest beginning of the text after which a line may break, blanks included.
std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const Character character = first_character(text.substr(end));
    end += character.bytes;
    const bool blank = text[end - 1] == ' ' && (end == text.size() || text[end] != '%');
    const bool next_sticks =
        end < text.size() && sticks_to_the_left(text.substr(end, first_character(text.substr(end)).bytes));
    if (blank || (character.columns == 2 && !next_sticks)) {
      break;
    }
    // A wide character may also start a new line after a narrow one.
    if (end < text.size() && first_character(text.substr(end)).columns == 2 && !next_sticks) {
      break;
    }
  }
  return text.substr(0, end);
}

std::string_view without_end_blanks(std::string_view text) {
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    columns += character.columns;
    text.remove_prefix(character.bytes);
  }
  return columns;
}

std::string padded(std::string_view text, std::size_t width, Align align) {
  const std::size_t taken = display_width(text);
  const std::string blanks(width > taken ? width - taken : 0, ' ');
  return align == Align::left ? std::string(text) + blanks : blanks + std::string(text);
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string result;
  std::string line;
  while (!text.empty()) {
    const std::string_view word = first_word(text);
    if (!line.empty() && line != indent && display_width(line) + display_width(without_end_blanks(word)) > width) {
      result += std::string(without_end_blanks(line)) + "\n";
      line = indent;
    }
    line += word;
    text.remove_prefix(word.size());
  }
  return result + std::string(without_end_blanks(line));
}

}  // namespace mekiki
