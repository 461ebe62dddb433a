#include "catalog/repository_data.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace mekiki {

std::vector<DataFile> repository_data_files() {
  const std::filesystem::path root = std::filesystem::path(MEKIKI_SOURCE_DIR) / "data";
  std::vector<DataFile> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = entry.path().lexically_relative(root).generic_string();
    if (entry.is_regular_file() && (path.ends_with(".json") || path.ends_with(".csv"))) {
      std::ifstream stream(entry.path(), std::ios::binary);
      files.push_back({path, std::string(std::istreambuf_iterator<char>(stream), {})});
    }
  }
  std::sort(files.begin(), files.end(), [](const DataFile& a, const DataFile& b) { return a.path < b.path; });
  return files;
}

}  // namespace mekiki
