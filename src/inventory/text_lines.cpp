#include "inventory/text_lines.h"

#include <algorithm>

namespace mekiki {
namespace {

// "ESC [ ... letter" is how a terminal is told to colour.
std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      i += 2;
      while (i < text.size() && (text[i] < '@' || text[i] > '~')) {
        ++i;
      }
    } else if (text[i] != '\r') {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  const std::string plain = without_colours(text);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', begin), plain.size());
    lines.push_back(plain.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::vector<std::string> words_in(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char letter : line) {
    if (letter != ' ' && letter != '\t') {
      word += letter;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) {
    words.push_back(std::move(word));
  }
  return words;
}

std::string_view trimmed_text(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  const std::size_t end = text.find_last_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, end - begin + 1);
}

bool begins_with_key(std::string_view line, std::string_view key) {
  const std::string_view text = trimmed_text(line);
  return text.starts_with(key) && text.size() > key.size() && text[key.size()] == ':';
}

std::string value_after(std::string_view line, std::string_view key) {
  const std::string_view text = trimmed_text(line);
  return begins_with_key(line, key) ? std::string(trimmed_text(text.substr(key.size() + 1))) : std::string{};
}

}  // namespace mekiki
