// README.md of a published model: the licence that its front matter names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mekiki {

/// The value of `license:` at the top level of the front matter between two lines "---"; the value of `license_name:`
/// where it says "other". Unset: it does not say, or the text has no front matter.
std::optional<std::string> license_of(std::string_view readme);

}  // namespace mekiki
