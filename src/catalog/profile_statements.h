// What a profile says about its own figures: each statement with its source and how sure it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/result.h"
#include "catalog/profile_reader.h"

namespace mekiki {

struct ProfileStatement {
  std::string file;
  std::string about;
  std::string source;
  std::string status;  // "checked", "read", "inferred", "from memory, unverified"
};

/// Of memory.json and time.json of the profile and of those that it extends, its own first; of older software only what
/// holds for `era`. Errors: invalid_input for a file that is no JSON.
Result<std::vector<ProfileStatement>> profile_statements(std::string_view id,
                                                         const DocumentLookup& documents,
                                                         std::optional<Month> era);

}  // namespace mekiki
