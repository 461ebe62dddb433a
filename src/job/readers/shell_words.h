// Words of a command line or a small shell script, with its own variables put in. Not a shell: no functions, no
// conditions, no command substitution but quotients of numbers; what cannot be known stays as it is written and fails
// to be a value later.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/text_position.h"

namespace mekiki {

struct ShellWord {
  std::string text;
  TextPosition position;
};

/// One simple command: words up to the end of the line (lines that end in a backslash go on), ";", "|", "&", "<" or
/// ">".
struct ShellCommand {
  std::vector<ShellWord> words;
};

struct ShellScript {
  std::vector<ShellCommand> commands;                        // assignments among their words are dropped
  std::vector<std::pair<std::string, ShellWord>> variables;  // NAME and value, in order
};

/// `size_limit` bounds the text after variables were put in. Errors: invalid_input.
Result<ShellScript> read_shell(std::string_view text, std::string_view subject, std::size_t size_limit);

}  // namespace mekiki
