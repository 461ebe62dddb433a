#include "checkpoint/checkpoint_index.h"

#include <gtest/gtest.h>

#include "checkpoint/files_for_tests.h"

namespace mekiki {
namespace {

using Kind = CheckpointFindingKind;

CheckpointFile sample(const std::string& name) {
  const std::string bytes = test_bytes("sharded/" + name);
  return {name, parse_safetensors(bytes, bytes.size(), name).value()};
}

CheckpointIndex index_of(const std::string& text) {
  return parse_checkpoint_index(text, "index").value();
}

TEST(CheckpointIndex, AcceptsShardsThatAgree) {
  const CheckpointIndex index = index_of(test_bytes("sharded/model.safetensors.index.json"));
  const std::vector<std::string> shards = shards_of(index);
  EXPECT_EQ(shards, (std::vector<std::string>{"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}));
  EXPECT_EQ(index.total_size, 32U);
  const std::vector<CheckpointFile> files = {sample(shards[0]), sample(shards[1])};
  EXPECT_TRUE(check_shards(index, files).empty());
  EXPECT_TRUE(check_shards(std::nullopt, files).empty());
}

TEST(CheckpointIndex, NamesWhatDisagrees) {
  const CheckpointIndex index =
      index_of(R"({"metadata": {"total_size": 9}, "weight_map": {"a": "1", "b": "1", "c": "2", "d": "3"}})");
  const std::vector<CheckpointFile> files = {
      file_of("1", {{"a", StoredDtype::u8, {1}}, {"c", StoredDtype::u8, {1}}, {"x", StoredDtype::u8, {1}}}),
      file_of("2", {{"a", StoredDtype::u8, {1}}})};
  const std::vector<CheckpointFinding> expected = {{Kind::missing_shard, "3", "", ""},
                                                   {Kind::missing_in_shard, "1", "b", ""},
                                                   {Kind::in_another_shard, "2", "c", "1"},
                                                   {Kind::not_in_index, "1", "x", ""},
                                                   {Kind::duplicate_tensor, "2", "a", "1"}};
  EXPECT_EQ(check_shards(index, files), expected);
}

TEST(CheckpointIndex, TheClaimedTotalIsCheckedAndNoDamage) {
  const CheckpointIndex index = index_of(R"({"metadata": {"total_size": 9}, "weight_map": {"a": "1"}})");
  const std::vector<CheckpointFile> files = {file_of("1", {{"a", StoredDtype::u8, {4}}})};
  const std::vector<CheckpointFinding> findings = check_shards(index, files);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, Kind::total_size_differs);
  EXPECT_EQ(findings[0].other, "9 != 4");
  EXPECT_FALSE(is_damage(findings[0].kind));
  EXPECT_TRUE(is_damage(Kind::missing_shard));
}

TEST(CheckpointIndex, ATensorInTwoFilesIsFoundWithoutAnIndex) {
  const std::vector<CheckpointFile> files = {file_of("1", {{"a", StoredDtype::u8, {1}}}),
                                             file_of("2", {{"a", StoredDtype::u8, {1}}})};
  EXPECT_EQ(check_shards(std::nullopt, files),
            (std::vector<CheckpointFinding>{{Kind::duplicate_tensor, "2", "a", "1"}}));
}

TEST(CheckpointIndex, RefusesWhatIsNoIndexAndWhatLeavesTheFolder) {
  for (const char* text : {"",
                           "[]",
                           "1",
                           "{}",
                           R"({"weight_map": []})",
                           R"({"weight_map": {}})",
                           R"({"weight_map": {"a": 1}})",
                           R"({"weight_map": {"a": ""}})",
                           R"({"weight_map": {"a": ".."}})",
                           R"({"weight_map": {"a": "../x"}})",
                           R"({"weight_map": {"a": "/etc/passwd"}})",
                           R"({"weight_map": {"a": "b", "a": "c"}})"}) {
    const auto index = parse_checkpoint_index(text, "index");
    ASSERT_FALSE(index) << text;
    EXPECT_EQ(index.error().subject.substr(0, 5), "index") << text;
  }
}

}  // namespace
}  // namespace mekiki
