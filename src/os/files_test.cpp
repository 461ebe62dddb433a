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

TEST(DiskFiles, ReadsAPartAndNoMore) {
  const TemporaryFolder folder;
  folder.write("a", "0123456789");
  const DiskFiles files;
  const std::string path = join_path(folder.path(), "a");
  EXPECT_EQ(files.size(path).value(), 10U);
  EXPECT_EQ(files.read_part(path, 2, 3).value(), "234");
  EXPECT_EQ(files.read_part(path, 8, 5).value(), "89");
  EXPECT_EQ(files.read_part(path, 20, 5).value(), "");
  EXPECT_EQ(files.size(folder.path()).error().code, ErrorCode::io);
  EXPECT_EQ(files.size(path + "x").error().code, ErrorCode::not_found);
  EXPECT_EQ(files.read_part(folder.path(), 0, 5).error().code, ErrorCode::io);
}

TEST(DiskWriter, WritesWholeFilesAndMakesFolders) {
  const TemporaryFolder folder;
  DiskWriter writer;
  const DiskFiles files;
  const std::string path = join_path(folder.path(), "b/c/d.json");
  ASSERT_TRUE(writer.write(path, "one"));
  ASSERT_TRUE(writer.write(path, "two"));
  EXPECT_EQ(files.read(path, 10).value(), "two");
  EXPECT_EQ(files.list(folder.path(), 10).value(), (std::vector<std::string>{"b/c/d.json"}));  // nothing left beside it
  const auto folder_mode = std::filesystem::status(join_path(folder.path(), "b")).permissions();
  EXPECT_EQ(folder_mode, std::filesystem::perms::owner_all);
}

TEST(DiskWriter, AProblemLeavesWhatWasThere) {
  const TemporaryFolder folder;
  folder.write("file", "kept");
  DiskWriter writer;
  const DiskFiles files;
  const std::string file = join_path(folder.path(), "file");
  EXPECT_EQ(writer.write(join_path(file, "below"), "x").error().code, ErrorCode::io);
  EXPECT_EQ(files.read(file, 10).value(), "kept");
  EXPECT_EQ(writer.write(folder.path(), "x").error().code, ErrorCode::io);  // a folder stands in the way
  EXPECT_EQ(files.list(folder.path(), 10).value(), (std::vector<std::string>{"file"}));
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
