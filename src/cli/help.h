// Help, manual page, documentation page and completions, all made from the tables of commands and flags.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/commands.h"

namespace mekiki {

/// `mekiki --help`: the commands. With a group ("prices") only those of the group.
std::string program_help(std::string_view group, const Voice& say);

/// `mekiki COMMAND --help`.
std::string command_help(const Command& command, const Voice& say);

/// The manual page as roff, the same for every day: it carries no date.
std::string manual_page(std::string_view version, const Voice& say);

/// docs/flags.md.
std::string flags_page(const Voice& say);

/// Completion script. Errors: not_found for another shell.
Result<std::string> completions(std::string_view shell, const Voice& say);

}  // namespace mekiki
