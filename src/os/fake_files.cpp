#include "os/fake_files.h"

#include <algorithm>

namespace mekiki {

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
    const bool missing = kind(path) == PathKind::missing;
    return fail({missing ? ErrorCode::not_found : ErrorCode::io,
                 path,
                 missing ? "there is no such file" : "cannot be read",
                 "check the path"});
  }
  return found->second.size() > size_limit ? Result<std::string>(fail(too_long(path, size_limit)))
                                           : Result<std::string>(found->second);
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

}  // namespace mekiki
