// A table of text in columns that line up.
#pragma once

#include <string>
#include <vector>

#include "report/display_width.h"

namespace mekiki {

struct TableColumn {
  std::string heading;
  Align align = Align::left;
};

/// Two blanks between columns, no blanks at line ends. Every row has as many cells as there are columns. Without any
/// heading there is no heading line.
std::string table(const std::vector<TableColumn>& columns,
                  const std::vector<std::vector<std::string>>& rows,
                  std::string_view indent = "");

}  // namespace mekiki
