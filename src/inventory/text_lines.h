// Output of tools as lines: colour codes and carriage returns gone, whatever the tool was run under.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mekiki {

/// Lines without their ends; ANSI colours, a byte order mark and carriage returns are dropped.
std::vector<std::string> lines_of(std::string_view text);

/// Words between blanks and tabs.
std::vector<std::string> words_in(std::string_view line);

std::string_view trimmed_text(std::string_view text);

/// The rest of the line after "key:" at its beginning, blanks before it allowed; nothing where it begins otherwise.
bool begins_with_key(std::string_view line, std::string_view key);
std::string value_after(std::string_view line, std::string_view key);

}  // namespace mekiki
