#include "checkpoint/quantization_settings.h"

#include "base/json.h"

namespace mekiki {
namespace {

using nlohmann::json;

const json* member(const json& object, std::string_view key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? &*found : nullptr;
}

std::string text_of(const json& object, std::string_view key) {
  const json* value = member(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<std::int64_t> bits_of(const json& object, std::string_view key) {
  const json* value = member(object, key);
  if (value == nullptr || !value->is_number_unsigned() || *value < 1 || *value > 16) {
    return std::nullopt;
  }
  return value->get<std::int64_t>();
}

// Several groups of layers may be packed differently: only what all agree on is said.
std::optional<std::int64_t> bits_of_groups(const json& options) {
  const json* groups = member(options, "config_groups");
  std::optional<std::int64_t> common;
  if (groups == nullptr || !groups->is_object()) {
    return common;
  }
  for (const auto& [name, group] : groups->items()) {
    const json* weights = member(group, "weights");
    const std::optional<std::int64_t> bits = weights == nullptr ? std::nullopt : bits_of(*weights, "num_bits");
    if (!bits || (common && *common != *bits)) {
      return std::nullopt;
    }
    common = bits;
  }
  return common;
}

}  // namespace

Result<QuantizationSettings> read_quantization_settings(std::string_view config_json, std::string_view subject) {
  const Result<json> root = parse_json(config_json, subject, {.non_finite = NonFiniteNumbers::read_as_null});
  if (!root) {
    return fail(root.error());
  }
  if (!root->is_object()) {
    return fail({ErrorCode::invalid_input, std::string(subject), "is no JSON object", "name a config.json"});
  }
  const json* options = member(*root, "quantization_config");
  const json* text_config = member(*root, "text_config");
  if (options == nullptr && text_config != nullptr) {
    options = member(*text_config, "quantization_config");
  }
  QuantizationSettings settings;
  if (options == nullptr || !options->is_object()) {
    return settings;
  }
  settings.method = text_of(*options, "quant_method");
  if (settings.method.empty()) {
    settings.method = text_of(*options, "quant_algo");
  }
  settings.format = text_of(*options, "format");
  settings.bits = bits_of(*options, "bits");
  if (!settings.bits) {
    settings.bits = bits_of_groups(*options);
  }
  return settings;
}

}  // namespace mekiki
