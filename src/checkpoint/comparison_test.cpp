#include "checkpoint/comparison.h"

#include <gtest/gtest.h>

#include "checkpoint/files_for_tests.h"

namespace mekiki {
namespace {

using enum StoredDtype;

TEST(Comparison, ListsWhatIsMissingUnexpectedAndOfAnotherShape) {
  const std::vector<ExpectedTensor> expected = {
      {"a.weight", {4, 8}}, {"b.weight", {4}}, {"c.weight", {3, 3}}, {"d.weight", {2}}};
  const CheckpointFile file = file_of(
      "f", {{"a.weight", bf16, {8, 4}}, {"b.weight", bf16, {4}}, {"d.weight", f32, {2}}, {"x.weight", bf16, {1}}});
  const CheckpointComparison comparison = compare(expected, contents_of(std::span(&file, 1), {}).weights);
  EXPECT_EQ(comparison.equal, 2U);
  ASSERT_EQ(comparison.missing.size(), 1U);
  EXPECT_EQ(comparison.missing[0].name, "c.weight");
  ASSERT_EQ(comparison.unexpected.size(), 1U);
  EXPECT_EQ(comparison.unexpected[0].name, "x.weight");
  ASSERT_EQ(comparison.other_shape.size(), 1U);
  EXPECT_EQ(comparison.other_shape[0].expected.name, "a.weight");
}

TEST(Comparison, AQuantisedCheckpointAgreesWithTheOriginal) {
  const std::vector<ExpectedTensor> expected = {{"p.weight", {512, 256}}, {"q.weight", {3, 5}}, {"n.weight", {256}}};
  const CheckpointFile file = file_of("f",
                                      {{"p.qweight", i32, {32, 512}},
                                       {"p.scales", f16, {2, 512}},
                                       {"p.g_idx", i32, {256}},
                                       {"q.weight", u8, {8, 1}},  // 15 values in 8 bytes
                                       {"q.weight.absmax", f32, {1}},
                                       {"q.weight.quant_map", f32, {16}},
                                       {"n.weight", f16, {256}}});
  const CheckpointComparison comparison = compare(expected, contents_of(std::span(&file, 1), {}).weights);
  EXPECT_TRUE(comparison.missing.empty() && comparison.unexpected.empty() && comparison.other_shape.empty());
  EXPECT_EQ(comparison.equal, 3U);
}

struct PlacementCase {
  std::vector<std::string> found;
  Placement placement;
  std::size_t missing;
};

TEST(Comparison, FindsTheModelUnderAnotherBeginning) {
  const std::vector<ExpectedTensor> expected = {
      {"model.embed_tokens.weight", {8, 4}}, {"model.layers.0.w.weight", {8, 4}}, {"lm_head.weight", {8, 4}}};
  const std::vector<PlacementCase> cases = {
      {{"model.embed_tokens.weight", "model.layers.0.w.weight", "lm_head.weight"}, {"model.", "model."}, 0},
      {{"embed_tokens.weight", "layers.0.w.weight", "lm_head.weight"}, {"model.", ""}, 0},
      {{"language_model.model.embed_tokens.weight",
        "language_model.model.layers.0.w.weight",
        "language_model.lm_head.weight"},
       {"model.", "language_model.model."},
       0},
      {{"model.language_model.embed_tokens.weight", "model.language_model.layers.0.w.weight", "lm_head.weight"},
       {"model.", "model.language_model."},
       0},
      {{"other.weight"}, {"model.", "model."}, 3},
  };
  for (const PlacementCase& one : cases) {
    std::vector<LogicalTensor> found;
    for (const std::string& name : one.found) {
      found.push_back({name, std::vector<std::int64_t>{8, 4}, 32, Packing::plain, bf16, 64});
    }
    const CheckpointComparison comparison = compare(expected, found);
    EXPECT_EQ(comparison.placement, one.placement) << one.found[0];
    EXPECT_EQ(comparison.missing.size(), one.missing) << one.found[0];
    EXPECT_EQ(comparison.unexpected_elements(), one.missing > 0 ? 32 : 0) << one.found[0];
  }
}

TEST(Comparison, BuffersAreNoWeights) {
  const std::vector<LogicalTensor> found = {
      {"layers.0.rotary_emb.inv_freq", std::vector<std::int64_t>{4}, 4, Packing::plain, f32, 16}};
  const CheckpointComparison comparison = compare({}, found);
  EXPECT_EQ(comparison.buffers.size(), 1U);
  EXPECT_TRUE(comparison.unexpected.empty());
}

TEST(Comparison, ShapesThatOverflowDisagree) {
  const std::vector<ExpectedTensor> expected = {{"q.weight", {1LL << 62, 4}}};
  const std::vector<LogicalTensor> found = {{"q.weight", std::nullopt, 0, Packing::bnb_4bit, u8, 0}};
  EXPECT_EQ(compare(expected, found).other_shape.size(), 1U);
}

}  // namespace
}  // namespace mekiki
