// The page about the history of prices that --html asks for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "report/history_page.h"

namespace mekiki {

/// Writes it where --html names a file; the talk says so, and is empty where it does not. --since is the first day of
/// the plots, a year before the day of the answer unless it is given. Errors: those of the page, of the day, of
/// writing.
Result<std::string> write_history_page(const Context& context, const Arguments& arguments, HistoryPage page);

}  // namespace mekiki
