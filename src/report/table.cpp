#include "report/table.h"

#include <algorithm>

#include "base/check.h"

namespace mekiki {
namespace {

constexpr std::string_view kGap = "  ";

std::string line_of(const std::vector<TableColumn>& columns,
                    const std::vector<std::size_t>& widths,
                    const std::vector<std::string>& cells,
                    std::string_view indent) {
  MEKIKI_CHECK(cells.size() == columns.size(), "a row has a cell for every column");
  std::string line(indent);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += (i == 0 ? std::string_view{} : kGap);
    line += padded(cells[i], widths[i], columns[i].align);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string table(const std::vector<TableColumn>& columns,
                  const std::vector<std::vector<std::string>>& rows,
                  std::string_view indent) {
  std::vector<std::size_t> widths;
  std::vector<std::string> headings;
  for (const TableColumn& column : columns) {
    widths.push_back(display_width(column.heading));
    headings.push_back(column.heading);
  }
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  const bool has_headings = std::any_of(headings.begin(), headings.end(), [](const auto& h) { return !h.empty(); });
  std::string text = has_headings ? line_of(columns, widths, headings, indent) : "";
  for (const std::vector<std::string>& row : rows) {
    text += line_of(columns, widths, row, indent);
  }
  return text;
}

}  // namespace mekiki
