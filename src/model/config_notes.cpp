#include "model/config_notes.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"

namespace mekiki {
namespace {

using nlohmann::json;

constexpr std::int64_t kLongest = 1'000'000'000;

const json* object_in(const json& parent, std::string_view key) {
  const auto found = parent.find(key);
  return found != parent.end() && found->is_object() ? &*found : nullptr;
}

std::optional<RopeScaling> scaling_of(const json& options) {
  RopeScaling scaling;
  for (const char* key : {"rope_type", "type"}) {
    const auto kind = options.find(key);
    if (scaling.kind.empty() && kind != options.end() && kind->is_string()) {
      scaling.kind = kind->get<std::string>();
    }
  }
  if (scaling.kind.empty() || scaling.kind == "default" || scaling.kind == "mrope") {
    return std::nullopt;
  }
  const auto factor = options.find("factor");
  if (factor != options.end() && factor->is_number() && factor->get<double>() > 0.0) {
    scaling.factor = factor->get<double>();
  }
  const auto original = options.find("original_max_position_embeddings");
  if (original != options.end() && original->is_number_unsigned() && *original >= 1 && *original <= kLongest) {
    scaling.original_length = original->get<std::int64_t>();
  }
  return scaling;
}

// One set of parameters, or one for each kind of layer.
std::optional<RopeScaling> scaling_in(const json& config) {
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    const json* options = object_in(config, key);
    if (options == nullptr) {
      continue;
    }
    if (auto scaling = scaling_of(*options)) {
      return scaling;
    }
    for (const auto& [layer_kind, nested] : options->items()) {
      auto scaling = nested.is_object() ? scaling_of(nested) : std::nullopt;
      if (scaling) {
        return scaling;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<ConfigNotes> read_config_notes(std::string_view config_json, std::string_view subject) {
  const Result<json> root = parse_json(config_json, subject, {.non_finite = NonFiniteNumbers::read_as_null});
  if (!root) {
    return fail(root.error());
  }
  if (!root->is_object()) {
    return fail({ErrorCode::invalid_input, std::string(subject), "is no JSON object", "name a config.json"});
  }
  ConfigNotes notes{scaling_in(*root)};
  const json* text_config = object_in(*root, "text_config");
  if (!notes.rope_scaling && text_config != nullptr) {
    notes.rope_scaling = scaling_in(*text_config);
  }
  return notes;
}

std::optional<std::int64_t> longest_sequence(std::int64_t max_position_embeddings, const ConfigNotes& notes) {
  std::int64_t longest = std::max<std::int64_t>(max_position_embeddings, 0);
  const std::optional<RopeScaling>& scaling = notes.rope_scaling;
  if (scaling && scaling->factor && scaling->original_length && longest <= *scaling->original_length) {
    const double stretched = *scaling->factor * static_cast<double>(*scaling->original_length);
    longest = std::max(longest, static_cast<std::int64_t>(std::llround(std::min(stretched, double{kLongest}))));
  }
  return longest > 0 ? std::optional(longest) : std::nullopt;
}

}  // namespace mekiki
