// Runs a fuzz target once over every file of the given files and directories, in the order of their names, so that a
// build without libFuzzer keeps every input that once found something. Exit 1 if there is no file: an empty replay
// proves nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return {path};
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    return false;
  }
  // An array of its own for each input, so that a read past the end is seen by the address sanitizer.
  const std::vector<char> content{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::vector<std::uint8_t> input(content.begin(), content.end());
  input.shrink_to_fit();
  std::fprintf(stderr, "%s\n", path.c_str());  // the last one named is the one that crashed
  LLVMFuzzerTestOneInput(input.data(), input.size());
  return true;
}

int replay_all(int argument_count, char** arguments) {
  int count = 0;
  for (int i = 1; i < argument_count; ++i) {
    for (const fs::path& path : files_of(arguments[i])) {
      if (!replay(path)) {
        return 1;
      }
      ++count;
    }
  }
  std::printf("%d inputs replayed\n", count);
  return count == 0 ? 1 : 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    return replay_all(argument_count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
