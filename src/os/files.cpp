#include "os/files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace mekiki {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

Error io_error(std::string_view subject, int error_number) {
  const bool missing = error_number == ENOENT || error_number == ENOTDIR;
  return {missing ? ErrorCode::not_found : ErrorCode::io,
          std::string(subject),
          missing ? "there is no such file" : std::string("cannot be read: ") + std::strerror(error_number),
          missing ? "check the path" : "check that it is a readable file"};
}

// One byte more than allowed is asked for, so that a file that grows or a pipe without end is noticed.
Result<std::string> read_all(std::FILE* file, std::string_view subject, std::size_t size_limit) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (true) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file);
    text.append(buffer.data(), got);
    if (text.size() > size_limit) {
      return fail(too_long(subject, size_limit));
    }
    if (got < buffer.size()) {
      break;
    }
  }
  if (std::ferror(file) != 0) {
    return fail(io_error(subject, errno));
  }
  return text;
}

Error write_error(std::string_view subject, int error_number) {
  return {ErrorCode::io,
          std::string(subject),
          std::string("cannot be written: ") + std::strerror(error_number),
          "check the rights of the folder and the space on the disk"};
}

// 0, or the error number.
int make_folders(const fs::path& folder) {
  std::error_code ignored;
  if (folder.empty() || fs::is_directory(folder, ignored)) {
    return 0;
  }
  if (const int error = make_folders(folder.parent_path())) {
    return error;
  }
  constexpr mode_t kOwnerOnly = 0700;
  return mkdir(folder.c_str(), kOwnerOnly) == 0 || errno == EEXIST ? 0 : errno;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  return true;
}

bool is_hidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

}  // namespace

PathKind DiskFiles::kind(const std::string& path) const {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error || !fs::exists(status)) {
    return PathKind::missing;
  }
  return fs::is_directory(status) ? PathKind::directory : PathKind::file;
}

Result<std::string> DiskFiles::read(const std::string& path, std::size_t size_limit) const {
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return fail(io_error(path, errno));
  }
  return read_all(file.get(), path, size_limit);
}

Result<std::uint64_t> DiskFiles::size(const std::string& path) const {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return fail(io_error(path, errno));
  }
  if (!S_ISREG(status.st_mode)) {
    return fail({ErrorCode::io, path, "is no regular file", "check the path"});
  }
  return static_cast<std::uint64_t>(status.st_size);
}

Result<std::string> DiskFiles::read_part(const std::string& path, std::uint64_t offset, std::size_t length) const {
  const FileHandle file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return fail(io_error(path, errno));
  }
  std::string part(length, '\0');
  std::size_t got = 0;
  while (got < length) {
    const ssize_t count = pread(fileno(file.get()), part.data() + got, length - got, static_cast<off_t>(offset + got));
    if (count < 0 && errno != EINTR) {
      return fail(io_error(path, errno));
    }
    if (count == 0) {
      break;
    }
    got += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  part.resize(got);
  return part;
}

Result<std::vector<std::string>> DiskFiles::list(const std::string& directory, std::size_t count_limit) const {
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, error);
  std::vector<std::string> paths;
  while (!error && entry != fs::recursive_directory_iterator()) {
    if (is_hidden(entry->path())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(error)) {
      paths.push_back(entry->path().lexically_relative(directory).generic_string());
    }
    if (paths.size() > count_limit) {
      return fail({ErrorCode::invalid_input,
                   directory,
                   "holds more than " + std::to_string(count_limit) + " files",
                   "name the folder that holds the data files only"});
    }
    entry.increment(error);
  }
  if (error) {
    return fail(io_error(directory, error.value()));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<std::string> DiskFiles::read_standard_input(std::size_t size_limit) const {
  return read_all(stdin, "-", size_limit);
}

Status DiskWriter::write(const std::string& path, std::string_view text) {
  const fs::path folder = fs::path(path).parent_path();
  if (const int error = make_folders(folder)) {
    return fail(write_error(path, error));
  }
  std::string temporary = path + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) {
    return fail(write_error(path, errno));
  }
  const bool is_written = write_all(descriptor, text) && fsync(descriptor) == 0;
  const int write_problem = errno;
  const bool is_closed = close(descriptor) == 0;
  if (!is_written || !is_closed || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int problem = is_written ? errno : write_problem;
    static_cast<void>(unlink(temporary.c_str()));
    return fail(write_error(path, problem));
  }
  return {};
}

std::string join_path(std::string_view directory, std::string_view name) {
  std::string path(directory);
  if (!path.empty() && path.back() != '/') {
    path += '/';
  }
  return path.append(name);
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

Error too_long(std::string_view subject, std::size_t size_limit) {
  return {ErrorCode::invalid_input,
          std::string(subject),
          "is longer than " + std::to_string(size_limit) + " bytes",
          "check that it is the file you mean"};
}

}  // namespace mekiki
