// Profiles of frameworks from data/profiles/ID/memory.json and time.json. A profile may extend another and then states
// only what differs; a nested object given replaces the other's whole.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "job/profile.h"

namespace mekiki {

/// Text of a data document by its path ("data/profiles/ID/memory.json"); nothing where there is none.
using DocumentLookup = std::function<std::optional<std::string_view>(std::string_view path)>;

/// `era`: when the software is from; what a profile says of before a later month then holds. Unset: today's.
/// Errors: not_found for an unknown id (with the nearest of `known`), invalid_input with the file and key for bad data,
/// conflict for a chain of extensions deeper than 8.
Result<Profile> read_profile(std::string_view id,
                             const DocumentLookup& documents,
                             std::span<const std::string_view> known,
                             std::optional<Month> era = {});

/// Ids of the profiles that a catalogue holds, sorted.
std::vector<std::string_view> profile_ids(const Catalog& catalog);

/// The profile of a framework by its id. Errors as read_profile.
Result<Profile> find_profile(const Catalog& catalog, std::string_view id, std::optional<Month> era = {});

}  // namespace mekiki
