#include "validate/memory_row.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

const RowContext& context() {
  static const RowContext made = [] {
    const std::vector<std::string> texts{"llama-3.1-8b", "mixtral-8x7b", "EleutherAI/pythia-1b"};
    return std::move(*make_row_context(bundled_catalog(), texts, {}));
  }();
  return made;
}

KnownMemoryRow plain_row() {
  KnownMemoryRow row;
  row.model = "llama-3.1-8b";
  row.method = "full";
  row.framework = "transformers";
  row.precision = "bf16-mixed";
  row.gpus = 1;
  row.sequence_length = 2048;
  row.micro_batch_size = 1;
  row.recompute = "full";
  row.attention = "flash2";
  row.lengths = "fixed";
  return row;
}

bool assumes(const RowJob& job, std::string_view what) {
  return std::find(job.assumed.begin(), job.assumed.end(), what) != job.assumed.end();
}

TEST(MemoryRowJob, StatedRowAssumesNothing) {
  const auto job = job_of(plain_row(), context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_TRUE(job->stated);
  EXPECT_TRUE(job->assumed.empty());
  EXPECT_EQ(job->job.activation_recompute, ActivationRecompute::full);
}

TEST(MemoryRowJob, BlankSettingsAreDefaultsAndMarked) {
  KnownMemoryRow row = plain_row();
  row.recompute = row.attention = "";
  row.micro_batch_size.reset();
  row.sequence_length.reset();
  const auto job = job_of(row, context());
  ASSERT_TRUE(job);
  for (const char* column : {"recompute", "attention", "micro_batch", "seq_len"}) {
    EXPECT_TRUE(assumes(*job, column)) << column;
  }
  EXPECT_FALSE(job->job.activation_recompute);
  EXPECT_FALSE(job->stated);
}

TEST(MemoryRowJob, ATextThatNobodyUnderstandsIsADefaultAndMarked) {
  KnownMemoryRow row = plain_row();
  row.recompute = "sometimes";
  const auto job = job_of(row, context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_FALSE(job->job.activation_recompute);
  EXPECT_TRUE(assumes(*job, "recompute"));
}

TEST(MemoryRowJob, UnknownFrameworkIsGenericAndSaidSo) {
  KnownMemoryRow row = plain_row();
  row.framework = "a trainer nobody heard of";
  const auto job = job_of(row, context());
  ASSERT_TRUE(job);
  EXPECT_EQ(job->profile.id, "generic");
  EXPECT_TRUE(assumes(*job, "framework"));
  EXPECT_FALSE(job->stated);
}

struct LayoutCase {
  const char* name;
  const char* framework;
  std::int64_t gpus;
  std::optional<std::int64_t> zero_stage;
  const char* fsdp;
  ParallelLayout expected;
};

class RowLayouts : public testing::TestWithParam<LayoutCase> {};

TEST_P(RowLayouts, FollowsWhatTheRowStates) {
  KnownMemoryRow row = plain_row();
  row.framework = GetParam().framework;
  row.gpus = GetParam().gpus;
  row.zero_stage = GetParam().zero_stage;
  row.fsdp = GetParam().fsdp;
  const auto job = job_of(row, context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(describe(job->layout), describe(GetParam().expected));
  EXPECT_EQ(job->layout.reshard_after_forward, GetParam().expected.reshard_after_forward);
}

INSTANTIATE_TEST_SUITE_P(
    Words,
    RowLayouts,
    testing::Values(LayoutCase{"replicas", "transformers", 4, std::nullopt, "none", {.dp_replicate = 4}},
                    LayoutCase{"zero3", "transformers", 4, 3, "none", {.dp_shard = 4, .zero_stage = 3}},
                    LayoutCase{
                        "full_shard", "transformers", 4, std::nullopt, "full_shard", {.dp_shard = 4, .zero_stage = 3}},
                    LayoutCase{"grad_op",
                               "torchtitan",
                               4,
                               std::nullopt,
                               "shard_grad_op",
                               {.dp_shard = 4, .zero_stage = 3, .reshard_after_forward = false}},
                    LayoutCase{"habit", "torchtitan", 4, std::nullopt, "", {.dp_shard = 4, .zero_stage = 3}}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(MemoryRowJob, StatedShardingBringsItsOwnDtypes) {
  KnownMemoryRow row = plain_row();
  row.framework = "axolotl";
  row.gpus = 8;
  row.zero_stage = 3;
  const auto job = job_of(row, context());
  ASSERT_TRUE(job);
  EXPECT_EQ(job->profile.id, "axolotl");
  EXPECT_EQ(job->profile.memory.sharding.style, DataParallelStyle::zero);
}

TEST(MemoryRowJob, ExpertsAreSplitAsTheFrameworkSplitsThem) {
  KnownMemoryRow row = plain_row();
  row.model = "mixtral-8x7b";
  row.framework = "Megatron-Core";
  row.gpus = 16;
  row.tensor_parallel = 2;
  const auto without_spreading = job_of(row, context());
  ASSERT_TRUE(without_spreading) << describe(without_spreading.error());
  EXPECT_EQ(without_spreading->layout.expert_tensor_parallel, 2);
  row.expert_parallel = 8;
  EXPECT_EQ(job_of(row, context())->layout.expert_tensor_parallel, 2);
  row.framework = "ms-swift + Megatron-Core";
  EXPECT_EQ(job_of(row, context())->layout.expert_tensor_parallel, 1);
}

TEST(MemoryRowJob, SomeFrameworksCutTheBatchOfARankForThePipeline) {
  KnownMemoryRow row = plain_row();
  row.framework = "torchtitan";
  row.era = "2025-11";
  row.gpus = 8;
  row.pipeline_parallel = 4;
  row.micro_batch_size = 8;
  const auto single = job_of(row, context());
  ASSERT_TRUE(single) << describe(single.error());
  EXPECT_EQ(single->job.micro_batch_size, 1);
  EXPECT_EQ(single->job.gradient_accumulation_steps, 8);
  row.era = "2024-12";
  const auto per_stage = job_of(row, context());
  EXPECT_EQ(per_stage->job.micro_batch_size, 2);
  EXPECT_EQ(per_stage->job.gradient_accumulation_steps, 4);
  row.framework = "Megatron-Core";
  EXPECT_EQ(job_of(row, context())->job.micro_batch_size, 8);
}

struct RefusedCase {
  const char* name;
  void (*edit)(KnownMemoryRow&);
  const char* subject;
};

class RefusedMemoryRows : public testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedMemoryRows, NameTheColumn) {
  KnownMemoryRow row = plain_row();
  GetParam().edit(row);
  const auto prediction = predict(row, context());
  ASSERT_FALSE(prediction);
  EXPECT_NE(describe(prediction.error()).find(GetParam().subject), std::string::npos) << describe(prediction.error());
}

INSTANTIATE_TEST_SUITE_P(
    Reasons,
    RefusedMemoryRows,
    testing::Values(
        RefusedCase{"unknown_model", [](KnownMemoryRow& r) { r.model = "nobody/nothing"; }, "nobody/nothing"},
        RefusedCase{"sharded_without_gpus",
                    [](KnownMemoryRow& r) {
                      r.gpus.reset();
                      r.fsdp = "full_shard";
                    },
                    "n_gpus"},
        RefusedCase{"world_size_contradicts",
                    [](KnownMemoryRow& r) {
                      r.gpus = 6;
                      r.tensor_parallel = 4;
                    },
                    "n_gpus"},
        RefusedCase{"optimizer_not_modelled", [](KnownMemoryRow& r) { r.optimizer = "sophia"; }, "optimizer"},
        RefusedCase{"word_not_understood", [](KnownMemoryRow& r) { r.precision = "approximate"; }, "precision"},
        RefusedCase{"no_such_layer",
                    [](KnownMemoryRow& r) {
                      r.method = "lora";
                      r.lora_targets = "rotor";
                    },
                    "lora_targets"},
        RefusedCase{"absurd_axis",
                    [](KnownMemoryRow& r) { r.gpus = r.tensor_parallel = r.pipeline_parallel = 9'000'000'000'000'000; },
                    "n_gpus"}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(MemoryPredictions, VerdictNeedsACapacityAndNothingElse) {
  KnownMemoryRow row = plain_row();
  row.recompute = "full";
  row.method = "qlora";
  row.lora_rank = 8;
  const auto without = predict(row, context());
  ASSERT_TRUE(without) << describe(without.error());
  EXPECT_FALSE(without->verdict);
  row.gpu = "a card nobody knows";
  EXPECT_FALSE(predict(row, context())->verdict);
  row.gpu_memory_gb = 80;
  EXPECT_EQ(predict(row, context())->verdict, Verdict::fits);
  row.gpu = "H100-80GB";
  const auto with = predict(row, context());
  EXPECT_EQ(with->verdict, Verdict::fits);
  EXPECT_EQ(with->report.device.mid, without->report.device.mid);
}

TEST(MemoryPredictions, LongestSampleCountsNotTheLimit) {
  KnownMemoryRow row = plain_row();
  row.lengths = "padded_to_longest";
  row.sequence_length = 4096;
  row.longest_in_batch = 512;
  KnownMemoryRow shorter = row;
  shorter.sequence_length = 512;
  EXPECT_EQ(predict(row, context())->report.allocated.mid, predict(shorter, context())->report.allocated.mid);
}

TEST(MemoryPredictions, TruncatedModelsAreCut) {
  const std::vector<DataFile> folder{
      {"row_models.csv",
       "model_text,config_id,truncated_layers,basis,note,file\nshort,meta-llama/Meta-Llama-3.1-8B,4,same_shape,,\n"}};
  const std::vector<std::string> texts{"short"};
  const auto own = make_row_context(bundled_catalog(), texts, folder);
  ASSERT_TRUE(own) << describe(own.error());
  ASSERT_TRUE(own->archs.at("short"));
  EXPECT_EQ(own->archs.at("short")->layer_count(), 4);
}

TEST(MemoryPredictions, YearOfTheSoftwareComesFromEraOrVersion) {
  RowReader reader(context().aliases, {});
  EXPECT_EQ(era_of("2024-03", "", reader), parse_month("2024-03").value());
  EXPECT_EQ(era_of("", "2.1.0+cu121", reader), parse_month("2023-10").value());
  EXPECT_EQ(era_of("", "", reader), std::nullopt);
  EXPECT_FALSE(reader.error());
}

}  // namespace
}  // namespace mekiki
