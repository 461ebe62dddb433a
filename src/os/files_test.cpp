#include "os/files.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "os/fake_files.h"

namespace mekiki {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "mekiki_files_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }
  void write(const std::string& name, std::string_view text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

 private:
  std::string path_;
};

TEST(DiskFiles, ReadsUpToTheLimitAndNoFurther) {
  const TemporaryFolder folder;
  folder.write("a.txt", "12345");
  const DiskFiles files;
  const std::string path = join_path(folder.path(), "a.txt");
  EXPECT_EQ(files.read(path, 5).value(), "12345");
  const auto refused = files.read(path, 4);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_input);
  EXPECT_EQ(refused.error().subject, path);
}

TEST(DiskFiles, TellsMissingFromUnreadable) {
  const TemporaryFolder folder;
  const DiskFiles files;
  EXPECT_EQ(files.read(join_path(folder.path(), "none"), 10).error().code, ErrorCode::not_found);
  EXPECT_EQ(files.read(folder.path(), 10).error().code, ErrorCode::io);
  EXPECT_EQ(files.kind(join_path(folder.path(), "none")), PathKind::missing);
  EXPECT_EQ(files.kind(folder.path()), PathKind::directory);
}

TEST(DiskFiles, ListsFilesOfAllFoldersSortedWithoutHiddenOnes) {
  const TemporaryFolder folder;
  folder.write("b/c.json", "");
  folder.write("a.csv", "");
  folder.write(".git/x", "");
  folder.write(".hidden", "");
  const DiskFiles files;
  EXPECT_EQ(files.list(folder.path(), 10).value(), (std::vector<std::string>{"a.csv", "b/c.json"}));
  EXPECT_EQ(files.list(folder.path(), 1).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(files.list(join_path(folder.path(), "none"), 1).error().code, ErrorCode::not_found);
}

TEST(FakeFiles, AnswersAsTheDiskDoes) {
  FakeFiles files;
  files.texts = {{"d/b/c.json", "12"}, {"d/a.csv", "1"}};
  files.unreadable = {"locked"};
  EXPECT_EQ(files.kind("d"), PathKind::directory);
  EXPECT_EQ(files.kind("d/a.csv"), PathKind::file);
  EXPECT_EQ(files.list("d", 10).value(), (std::vector<std::string>{"a.csv", "b/c.json"}));
  EXPECT_EQ(files.read("d/b/c.json", 1).error().code, ErrorCode::invalid_input);
  EXPECT_EQ(files.read("none", 1).error().code, ErrorCode::not_found);
  EXPECT_EQ(files.read("locked", 1).error().code, ErrorCode::io);
}

}  // namespace
}  // namespace mekiki
