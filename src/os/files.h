// Files: how the program reads the disk; FileWriter: how it writes. The real ones and fakes in memory; everything above
// takes the interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mekiki {

enum class PathKind : std::uint8_t { missing, file, directory };

class Files {
 public:
  virtual ~Files() = default;

  /// What lies there, symbolic links followed. A pipe or a device counts as a file; what cannot be looked at is
  /// missing.
  virtual PathKind kind(const std::string& path) const = 0;

  /// The whole file. Errors: not_found; io where it cannot be read or is a directory; invalid_input where it is longer
  /// than `size_limit` bytes. The subject is the path.
  virtual Result<std::string> read(const std::string& path, std::size_t size_limit) const = 0;

  /// Length in bytes. Errors: not_found; io for what is no regular file.
  virtual Result<std::uint64_t> size(const std::string& path) const = 0;

  /// `length` bytes from `offset` on, fewer where the file ends before. Only these bytes are read, however long the
  /// file is. Errors: not_found, io.
  virtual Result<std::string> read_part(const std::string& path, std::uint64_t offset, std::size_t length) const = 0;

  /// Paths of all files below a directory, relative to it, with forward slashes, sorted. Hidden ones are left out.
  /// Errors: not_found, io; invalid_input beyond `count_limit` files.
  virtual Result<std::vector<std::string>> list(const std::string& directory, std::size_t count_limit) const = 0;

  /// Standard input to its end. Errors as for read; the subject is "-".
  virtual Result<std::string> read_standard_input(std::size_t size_limit) const = 0;
};

/// The disk of this machine.
class DiskFiles final : public Files {
 public:
  PathKind kind(const std::string& path) const override;
  Result<std::string> read(const std::string& path, std::size_t size_limit) const override;
  Result<std::uint64_t> size(const std::string& path) const override;
  Result<std::string> read_part(const std::string& path, std::uint64_t offset, std::size_t length) const override;
  Result<std::vector<std::string>> list(const std::string& directory, std::size_t count_limit) const override;
  Result<std::string> read_standard_input(std::size_t size_limit) const override;
};

/// FileWriter: how the program changes the disk. Apart from Files, so that a command that only reads cannot write.
class FileWriter {
 public:
  virtual ~FileWriter() = default;

  /// Writes the whole file or leaves what was there: a reader never sees half of it. Folders on the way are made,
  /// readable by their owner alone. Errors: io.
  virtual Status write(const std::string& path, std::string_view text) = 0;
};

/// Writes to a file beside it, flushes it to the disk and renames it.
class DiskWriter final : public FileWriter {
 public:
  Status write(const std::string& path, std::string_view text) override;
};

/// "a" + "b" is "a/b".
std::string join_path(std::string_view directory, std::string_view name);

/// The part after the last slash.
std::string_view file_name(std::string_view path);

/// The error for a text beyond its limit, the same wherever it is read.
Error too_long(std::string_view subject, std::size_t size_limit);

}  // namespace mekiki
