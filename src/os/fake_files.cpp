#include "os/fake_files.h"

#include <algorithm>

namespace mekiki {
namespace {

Error unreadable_error(const std::string& path, PathKind kind) {
  const bool missing = kind == PathKind::missing;
  return {missing ? ErrorCode::not_found : ErrorCode::io,
          path,
          missing ? "there is no such file" : "cannot be read",
          "check the path"};
}

}  // namespace

PathKind FakeFiles::kind(const std::string& path) const {
  if (texts.contains(path) || std::find(unreadable.begin(), unreadable.end(), path) != unreadable.end()) {
    return PathKind::file;
  }
  const std::string prefix = join_path(path, "");
  const bool is_directory =
      std::any_of(texts.begin(), texts.end(), [&](const auto& entry) { return entry.first.starts_with(prefix); });
  return is_directory ? PathKind::directory : PathKind::missing;
}

Result<std::string> FakeFiles::read(const std::string& path, std::size_t size_limit) const {
  const auto found = texts.find(path);
  if (found == texts.end()) {
    return fail(unreadable_error(path, kind(path)));
  }
  return found->second.size() > size_limit ? Result<std::string>(fail(too_long(path, size_limit)))
                                           : Result<std::string>(found->second);
}

Result<std::uint64_t> FakeFiles::size(const std::string& path) const {
  const auto found = texts.find(path);
  return found == texts.end() ? Result<std::uint64_t>(fail(unreadable_error(path, kind(path)))) : found->second.size();
}

Result<std::string> FakeFiles::read_part(const std::string& path, std::uint64_t offset, std::size_t length) const {
  const auto found = texts.find(path);
  if (found == texts.end()) {
    return fail(unreadable_error(path, kind(path)));
  }
  return offset >= found->second.size() ? std::string() : found->second.substr(offset, length);
}

Result<std::vector<std::string>> FakeFiles::list(const std::string& directory, std::size_t count_limit) const {
  if (kind(directory) != PathKind::directory) {
    return fail({ErrorCode::not_found, directory, "there is no such file", "check the path"});
  }
  std::vector<std::string> paths;
  const std::string prefix = join_path(directory, "");
  for (const auto& [path, text] : texts) {
    if (path.starts_with(prefix)) {
      paths.push_back(path.substr(prefix.size()));
    }
  }
  if (paths.size() > count_limit) {
    return fail({ErrorCode::invalid_input, directory, "holds too many files", ""});
  }
  return paths;
}

Result<std::string> FakeFiles::read_standard_input(std::size_t size_limit) const {
  return standard_input.size() > size_limit ? Result<std::string>(fail(too_long("-", size_limit)))
                                            : Result<std::string>(standard_input);
}

Status FakeWriter::write(const std::string& path, std::string_view text) {
  if (read_only) {
    return fail({ErrorCode::io, path, "cannot be written", "check the rights of the folder"});
  }
  files_->texts[path] = std::string(text);
  return {};
}

}  // namespace mekiki
