// What a config.json says that changes no count: how positions are stretched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mekiki {

struct RopeScaling {
  std::string kind;              // as written: "linear", "dynamic", "yarn", "longrope", ...
  std::optional<double> factor;  // unset: the kind has none, or the config does not say
  std::optional<std::int64_t> original_length;

  bool operator==(const RopeScaling&) const = default;
};

struct ConfigNotes {
  std::optional<RopeScaling> rope_scaling;  // unset: positions are not stretched

  bool operator==(const ConfigNotes&) const = default;
};

/// Reads rope_scaling, or rope_parameters as newer configs have it (of the first kind of layer that is stretched), of
/// the root or else of text_config. The kinds "default" and "mrope" stretch nothing. Values of another type than
/// expected count as not said. Errors: invalid_input where the text is no JSON object.
Result<ConfigNotes> read_config_notes(std::string_view config_json, std::string_view subject);

/// The longest sequence that the config speaks of: its own maximum, which most configs state as stretched; where it is
/// no longer than the original length, factor times that. Unset: it says nothing.
std::optional<std::int64_t> longest_sequence(std::int64_t max_position_embeddings, const ConfigNotes& notes);

}  // namespace mekiki
