#include "model/test_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

std::filesystem::path in_repository(std::string_view path) {
  return std::filesystem::path(MEKIKI_SOURCE_DIR) / path;
}

}  // namespace

std::string test_file(std::string_view path) {
  std::ifstream file(in_repository(path), std::ios::binary);
  if (!file) {
    throw std::runtime_error("no test file " + std::string(path));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> test_file_names(std::string_view folder, std::string_view ending) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(in_repository(folder))) {
    if (entry.is_regular_file() && entry.path().extension() == ending) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

TestTable::TestTable(std::string_view path) {
  Result<CsvTable> table = parse_csv(test_file(path), path);
  if (!table) {
    throw std::runtime_error(describe(table.error()));
  }
  table_ = std::move(*table);
}

const std::string& TestTable::at(std::size_t row, std::string_view column) const {
  const auto index = column_of(table_, column);
  if (!index) {
    throw std::runtime_error("no column " + std::string(column));
  }
  return table_.rows.at(row).fields.at(*index);
}

TEST(TestFiles, AMissingFileIsNoEmptyFile) {
  EXPECT_THROW(test_file("data/models/none.json"), std::runtime_error);
}

}  // namespace mekiki
