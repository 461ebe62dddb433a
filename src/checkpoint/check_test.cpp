#include "checkpoint/check.h"

#include <gtest/gtest.h>

#include "checkpoint/files_for_tests.h"
#include "model/count.h"
#include "model/family.h"
#include "model/tensors.h"

namespace mekiki {
namespace {

constexpr const char* kConfig = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
    "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100, "tie_word_embeddings": true})";

/// A checkpoint as the config asks for it, in one file.
class ACheckpoint : public testing::Test {
 protected:
  ACheckpoint() : arch_(read_config(kConfig, "c").value().arch) {
    const auto tensors = tensors_of(arch_);
    for (const StoredTensor& tensor : tensors.value()) {
      add(tensor.name, tensor.shape);
    }
  }
  void add(const std::string& name, const std::vector<std::int64_t>& shape) {
    file_.header.tensors.push_back(file_of("", {{name, StoredDtype::bf16, shape}}).header.tensors[0]);
  }
  CheckpointCheck check(std::optional<CheckpointIndex> index = {}) const {
    return check_checkpoint({.arch = &arch_, .files = std::span(&file_, 1), .index = std::move(index)});
  }

  Arch arch_;
  CheckpointFile file_{"model.safetensors", {}};
};

TEST_F(ACheckpoint, Agrees) {
  const CheckpointCheck result = check();
  EXPECT_EQ(result.verdict, CheckpointVerdict::agrees);
  EXPECT_EQ(result.expected_weights, 88'640);  // 100 x 64 + 2 x (4 x 64 x 64 + 3 x 64 x 128 + 2 x 64) + 64
  EXPECT_EQ(result.contents.weight_count, 88'640);
  ASSERT_TRUE(result.comparison);
  EXPECT_EQ(result.comparison->equal, file_.header.tensors.size());
}

TEST_F(ACheckpoint, MayHoldATiedHeadTwiceAndBuffers) {
  add("lm_head.weight", {100, 64});
  add("model.layers.0.self_attn.rotary_emb.inv_freq", {8});
  EXPECT_EQ(check().verdict, CheckpointVerdict::agrees);
  EXPECT_EQ(check().head_copy, 6'400);
  arch_.tie_word_embeddings = false;
  EXPECT_EQ(check().verdict, CheckpointVerdict::agrees);
  EXPECT_EQ(check().head_copy, 0);
}

TEST_F(ACheckpoint, DiffersByOneTensor) {
  add("model.extra.weight", {1});
  EXPECT_EQ(check().verdict, CheckpointVerdict::differs);
  file_.header.tensors.pop_back();
  file_.header.tensors[1].shape = {1, 64};
  EXPECT_EQ(check().verdict, CheckpointVerdict::differs);
  file_.header.tensors.erase(file_.header.tensors.begin() + 1);
  const CheckpointCheck result = check();
  EXPECT_EQ(result.verdict, CheckpointVerdict::differs);
  EXPECT_EQ(result.comparison->missing.size(), 1U);
}

TEST_F(ACheckpoint, OfAFamilyWithUnknownNamesIsJudgedByItsCount) {
  arch_.names.known = false;
  EXPECT_EQ(check().verdict, CheckpointVerdict::agrees);
  EXPECT_FALSE(check().comparison);
  add("lm_head.weight", {100, 64});
  EXPECT_EQ(check().verdict, CheckpointVerdict::agrees);
  add("model.extra.weight", {1});
  EXPECT_EQ(check().verdict, CheckpointVerdict::differs);
}

TEST_F(ACheckpoint, MayHoldItsTowerAndMtpModulesOrLeaveThemOut) {
  arch_.vision = VisionTower{"test", 12, 4};
  arch_.mtp_weights = 30;
  EXPECT_EQ(check().verdict, CheckpointVerdict::agrees);
  add("visual.weight", {12});
  EXPECT_EQ(check().verdict, CheckpointVerdict::agrees);
  add("mtp.weight", {30});
  EXPECT_EQ(check().verdict, CheckpointVerdict::agrees);
  add("more.weight", {1});
  EXPECT_EQ(check().verdict, CheckpointVerdict::differs);
}

TEST_F(ACheckpoint, IsDamagedWhereTheIndexNamesAFileThatIsNotThere) {
  CheckpointIndex index;
  for (const CheckpointTensor& tensor : file_.header.tensors) {
    index.weight_map[tensor.name] = file_.name;
  }
  EXPECT_EQ(check(index).verdict, CheckpointVerdict::agrees);
  index.weight_map["x"] = "other.safetensors";
  EXPECT_EQ(check(index).verdict, CheckpointVerdict::damaged);
}

TEST_F(ACheckpoint, IsUnknownWhereATensorIsPackedInAnUnknownWay) {
  file_.header.tensors[2].dtype = StoredDtype::u32;
  EXPECT_EQ(check().verdict, CheckpointVerdict::unknown);
}

}  // namespace
}  // namespace mekiki
