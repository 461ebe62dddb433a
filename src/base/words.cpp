#include "base/words.h"

#include <algorithm>
#include <cctype>

namespace mekiki {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    if (end > start) {
      words.emplace_back(text.substr(start, end - start));
    }
    start = end + 1;
  }
  return words;
}

std::string slug(std::string_view text) {
  std::string word;
  for (const char letter : text) {
    const bool kept = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' || letter == '_';
    if (kept) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  return word;
}

}  // namespace mekiki
