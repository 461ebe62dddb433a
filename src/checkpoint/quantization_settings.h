// What config.json says about packed weights, as far as tensors alone do not tell it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mekiki {

struct QuantizationSettings {
  std::string method;                // quant_method, or quant_algo where that is absent; empty: not quantised
  std::string format;                // "pack-quantized"; empty: not said
  std::optional<std::int64_t> bits;  // of every packed weight; unset: not said, or not the same everywhere
};

/// Reads quantization_config of the root, or of its text_config. Values of another type than expected count as not
/// said: the tensors themselves decide what they can. Errors: invalid_input where the text is no JSON object.
Result<QuantizationSettings> read_quantization_settings(std::string_view config_json, std::string_view subject);

}  // namespace mekiki
