#include "base/did_you_mean.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace mekiki {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Words longer than this are no names of ours; comparing them would only cost time on hostile input.
constexpr std::size_t kLongestWord = 128;

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestWord);
  b = b.substr(0, kLongestWord);
  std::vector<int> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    previous[j] = static_cast<int>(j);
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitution = previous[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::vector<std::string_view> nearest_words(std::string_view word,
                                            std::span<const std::string_view> known,
                                            std::size_t limit) {
  std::vector<std::pair<int, std::string_view>> near;
  const int allowed = std::max(2, static_cast<int>(std::min(word.size(), kLongestWord)) / 3);
  for (std::string_view candidate : known) {
    const int distance = edit_distance(word, candidate);
    if (distance <= allowed) {
      near.emplace_back(distance, candidate);
    }
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  near.resize(std::min(near.size(), limit));
  std::vector<std::string_view> words;
  words.reserve(near.size());
  for (const auto& [distance, candidate] : near) {
    words.push_back(candidate);
  }
  return words;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::vector<std::string_view> words = nearest_words(word, known);
  if (words.empty()) {
    return {};
  }
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text + "?";
}

std::string one_of(std::span<const std::string_view> known) {
  std::string text;
  for (const std::string_view word : known) {
    text += (text.empty() ? "one of " : ", ") + std::string(word);
  }
  return text;
}

std::string did_you_mean_or_one_of(std::string_view word, std::span<const std::string_view> known) {
  std::string near = did_you_mean(word, known);
  return near.empty() ? one_of(known) : near;
}

}  // namespace mekiki
