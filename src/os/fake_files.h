// Files in memory, for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "os/files.h"

namespace mekiki {

class FakeFiles final : public Files {
 public:
  /// Texts by path; every prefix that ends before a slash is a directory.
  std::map<std::string, std::string> texts;
  /// Files that are there and cannot be read.
  std::vector<std::string> unreadable;
  std::string standard_input;

  PathKind kind(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::size_t size_limit) const override;
  Result<std::uint64_t> size(const std::string& path) const override;
  Result<std::string> read_part(const std::string& path, std::uint64_t offset, std::size_t length) const override;
  Result<std::vector<std::string>> list(const std::string& directory, std::size_t count_limit) const override;
  Result<std::string> read_standard_input(std::size_t size_limit) const override;
};

/// Writes into files in memory, or refuses.
class FakeWriter final : public FileWriter {
 public:
  explicit FakeWriter(FakeFiles& files) : files_(&files) {}
  bool read_only = false;
  Status write(const std::string& path, std::string_view text) override;

 private:
  FakeFiles* files_;
};

}  // namespace mekiki
