// Keys of config.json that change neither a count nor the memory or time of training.
#pragma once

#include <string_view>

namespace mekiki {

/// Token ids, initialisation, positions and rope, softmax scales, generation settings, provenance.
bool is_harmless_key(std::string_view key);

}  // namespace mekiki
