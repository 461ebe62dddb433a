#include "model/resolve.h"

#include <algorithm>
#include <array>

#include "base/did_you_mean.h"
#include "base/letter_case.h"

namespace mekiki {
namespace {

constexpr std::array<std::string_view, 7> kShapelessWords = {"hf", "instruct", "base", "fp8", "chat", "it", "pt"};
constexpr std::size_t kCandidatesShown = 8;

bool is_named(const ModelIndexRow& row, const std::string& lowered) {
  return lower_case(row.id) == lowered || lower_case(row.repository) == lowered ||
         std::any_of(row.aliases.begin(), row.aliases.end(), [&](const std::string& alias) {
           return lower_case(alias) == lowered;
         });
}

template <class Matches>
std::vector<const ModelIndexRow*> matching(std::span<const ModelIndexRow> index, Matches matches) {
  std::vector<const ModelIndexRow*> found;
  for (const ModelIndexRow& row : index) {
    if (matches(row)) {
      found.push_back(&row);
    }
  }
  return found;
}

Result<const ModelIndexRow*> only_shape(std::string_view name, const std::vector<const ModelIndexRow*>& found) {
  const auto other = std::find_if(
      found.begin(), found.end(), [&](const ModelIndexRow* row) { return row->shape != found.front()->shape; });
  if (other == found.end()) {
    return found.front();
  }
  std::string candidates;
  for (std::size_t i = 0; i < std::min(found.size(), kCandidatesShown); ++i) {
    candidates += (i == 0 ? "" : ", ") + found[i]->id;
  }
  if (found.size() > kCandidatesShown) {
    candidates += " and " + std::to_string(found.size() - kCandidatesShown) + " more";
  }
  return fail({ErrorCode::conflict, std::string(name), "fits models of different shapes", "one of " + candidates});
}

Error unknown(std::string_view name, std::span<const ModelIndexRow> index) {
  std::vector<std::string_view> ids;
  for (const ModelIndexRow& row : index) {
    ids.push_back(row.id);
  }
  return {ErrorCode::not_found, std::string(name), "is no bundled model", did_you_mean(plain_model_name(name), ids)};
}

}  // namespace

std::string plain_model_name(std::string_view name) {
  std::string lowered = lower_case(name);
  if (const std::size_t slash = lowered.rfind('/'); slash != std::string::npos) {
    lowered.erase(0, slash + 1);
  }
  std::string plain;
  std::size_t start = 0;
  while (start <= lowered.size()) {
    const std::size_t end = std::min(lowered.find('-', start), lowered.size());
    const std::string_view word = std::string_view(lowered).substr(start, end - start);
    const bool leading_meta = start == 0 && word == "meta";
    const bool shapeless = std::find(kShapelessWords.begin(), kShapelessWords.end(), word) != kShapelessWords.end();
    if (!leading_meta && !shapeless && !word.empty()) {
      plain += plain.empty() ? "" : "-";
      plain += word;
    }
    start = end + 1;
  }
  return plain;
}

Result<const ModelIndexRow*> resolve_model(std::string_view name, std::span<const ModelIndexRow> index) {
  const std::string lowered = lower_case(name);
  const std::string plain = plain_model_name(name);
  auto found = matching(index, [&](const ModelIndexRow& row) { return is_named(row, lowered); });
  if (found.empty() && !plain.empty()) {
    found = matching(index, [&](const ModelIndexRow& row) {
      return plain_model_name(row.id) == plain || plain_model_name(row.repository) == plain;
    });
  }
  if (found.empty() && !plain.empty()) {
    found = matching(index, [&](const ModelIndexRow& row) {
      return plain_model_name(row.id).starts_with(plain + "-") ||
             plain_model_name(row.repository).starts_with(plain + "-");
    });
  }
  if (found.empty()) {
    return fail(unknown(name, index));
  }
  return only_shape(name, found);
}

}  // namespace mekiki
