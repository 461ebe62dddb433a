// From argv to a command and its arguments.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "cli/commands.h"

namespace mekiki {

struct ParsedLine {
  const Command* command = nullptr;  // null: none named
  /// The words that led to it, for the help of a group of commands ("prices").
  std::string group;
  Arguments arguments;
};

/// Errors: usage for an unknown command or flag (with near ones), a missing or surplus value, a flag given twice, too
/// few or too many positionals. `--help` and `--version` excuse what is missing.
Result<ParsedLine> parse_line(std::span<const std::string> words);

}  // namespace mekiki
