// The whole program as a function of what was typed and of the world it may look at.
#pragma once

#include <span>
#include <string>

#include "cli/outcome.h"
#include "cli/world.h"

namespace mekiki {

/// `words` are the arguments without the program's name. Broken invariants of our own are thrown (base/check.h).
Outcome run_program(std::span<const std::string> words, const World& world);

/// What main() says when something was thrown.
Outcome internal_failure(std::span<const std::string> words, std::string_view what);

}  // namespace mekiki
