// A block of a layer in words and as JSON.
#pragma once

#include <string>

#include "model/arch.h"
#include "report/json_parts.h"

namespace mekiki {

/// "attention 32 heads, 8 kv heads, head_dim 64": the words of config.json, the same in every language.
std::string block_text(const Block& block);

Json block_json(const Block& block);

}  // namespace mekiki
