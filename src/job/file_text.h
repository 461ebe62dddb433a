// What every text of a job file must be before anything parses it, and how its places are named.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text_position.h"

namespace mekiki {

/// "job.yaml:3:7", as editors and compilers write it.
std::string place_in(std::string_view subject, TextPosition position);

/// Errors: invalid_input for a text that is too long, no UTF-8, or holds a NUL byte.
Status check_file_text(std::string_view text, std::string_view subject, std::size_t size_limit);

}  // namespace mekiki
