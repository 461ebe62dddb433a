// Files of the repository, for tests only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"

namespace mekiki {

/// Content of a file by its path from the repository's root. Throws where there is none: a test needs its data.
std::string test_file(std::string_view path);

/// Names of the files of one folder with this ending, sorted.
std::vector<std::string> test_file_names(std::string_view folder, std::string_view ending);

/// A CSV file as rows that are asked by column name.
class TestTable {
 public:
  explicit TestTable(std::string_view path);
  std::size_t size() const { return table_.rows.size(); }
  const std::string& at(std::size_t row, std::string_view column) const;

 private:
  CsvTable table_;
};

}  // namespace mekiki
