#include "explain/term.h"

#include <algorithm>
#include <string>

#include "base/did_you_mean.h"

namespace mekiki {
namespace {

constexpr std::string_view kAll = "all";

std::vector<Term> all_terms() {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < kTerms; ++i) {
    terms.push_back(static_cast<Term>(i));
  }
  return terms;
}

std::string known_names() {
  std::string names(kAll);
  for (const std::string_view name : EnumNames<Term>::value) {
    names += ", " + std::string(name);
  }
  return names;
}

}  // namespace

Result<std::vector<Term>> read_terms(std::string_view text) {
  std::string name(text);
  std::replace(name.begin(), name.end(), '-', '_');
  if (name == kAll) {
    return all_terms();
  }
  if (const std::optional<Term> term = enum_from_name<Term>(name)) {
    return std::vector<Term>{*term};
  }
  const std::string near = did_you_mean(name, EnumNames<Term>::value);
  return fail({ErrorCode::not_found,
               "--explain",
               "\"" + std::string(text) + "\" is no term of the answer",
               near.empty() ? known_names() : near + " Or one of " + known_names()});
}

}  // namespace mekiki
