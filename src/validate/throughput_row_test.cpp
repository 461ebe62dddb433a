#include "validate/throughput_row.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "validate/flops_convention.h"

namespace mekiki {
namespace {

const RowContext& context() {
  static const RowContext made = [] {
    const std::vector<std::string> texts{"llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b"};
    return std::move(*make_row_context(bundled_catalog(), texts, {}));
  }();
  return made;
}

KnownThroughputRow plain_row() {
  KnownThroughputRow row;
  row.model = "llama-3.1-8b";
  row.method = "pretrain";
  row.framework = "Megatron-Core";
  row.precision = "bf16";
  row.gpu = "H100-SXM";
  row.gpus = 8;
  row.nodes = 1;
  row.sequence_length = 4096;
  row.global_batch_size = 64;
  row.micro_batch_size = 1;
  row.gradient_accumulation_steps = 16;
  row.tensor_parallel = 2;
  row.pipeline_parallel = row.context_parallel = row.virtual_pipeline = 1;
  row.data_parallel = 4;
  row.sharding = "distributed optimizer";
  row.recompute = "none";
  row.attention = "te";
  row.lengths = "fixed";
  return row;
}

bool assumes(const RowJob& job, std::string_view what) {
  return std::find(job.assumed.begin(), job.assumed.end(), what) != job.assumed.end();
}

TEST(ThroughputRowJob, StatedRowIsTakenAsItStands) {
  const auto job = job_of(plain_row(), context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_TRUE(job->row.stated);
  EXPECT_TRUE(job->row.assumed.empty()) << job->row.assumed.front();
  EXPECT_EQ(describe(job->row.layout), "dp_shard 4, tensor_parallel 2, zero_stage 1");
  EXPECT_EQ(job->row.job.micro_batch_size, 1);
}

TEST(ThroughputRowJob, OpenAxesBecomeTheSmallestThatFits) {
  KnownThroughputRow row = plain_row();
  row.model = "llama-3.1-70b";
  row.gpus = 64;
  row.nodes = 8;
  row.tensor_parallel.reset();
  row.pipeline_parallel.reset();
  row.data_parallel.reset();
  row.gradient_accumulation_steps.reset();
  const auto job = job_of(row, context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_TRUE(assumes(job->row, "layout"));
  EXPECT_FALSE(job->row.stated);
  // 70B weights and gradients in 16 and 32 bit are above 400 GB: one or two GPUs of 80 GB cannot hold a copy.
  EXPECT_GE(job->row.layout.tensor_parallel * job->row.layout.pipeline_parallel, 4);
  EXPECT_EQ(job->row.layout.world_size(), 64);
}

TEST(ThroughputRowJob, MicroBatchFollowsFromTheOtherNumbers) {
  KnownThroughputRow row = plain_row();
  row.micro_batch_size.reset();
  row.gradient_accumulation_steps = 8;
  const auto job = job_of(row, context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->row.job.micro_batch_size, 2);  // 64 / (4 ranks x 8 steps)
  EXPECT_FALSE(assumes(job->row, "micro_batch"));
}

TEST(ThroughputRowJob, RemainderOfTheStatedAxesIsContextParallel) {
  KnownThroughputRow row = plain_row();
  row.context_parallel.reset();
  row.data_parallel = 2;
  row.gradient_accumulation_steps = 32;
  const auto job = job_of(row, context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->row.layout.context_parallel, 2);
}

TEST(ThroughputRowJob, RacksShareTheirFastLinkAcrossTrays) {
  KnownThroughputRow row = plain_row();
  row.gpu = "GB200";
  row.gpus = 64;
  row.nodes = 16;
  row.data_parallel = 32;
  row.gradient_accumulation_steps = 2;
  const auto job = job_of(row, context());
  ASSERT_TRUE(job) << describe(job.error());
  EXPECT_EQ(job->machine.cluster.gpus_per_node, 4);
  EXPECT_EQ(job->machine.cluster.link_domain, 72);
}

TEST(ThroughputRowJob, NetworkPerGpuIsReadWhereTheRowStatesIt) {
  KnownThroughputRow row = plain_row();
  row.interconnect = "p5.48xlarge: NVLink4 + 3200 Gb/s EFA per node";
  const auto stated = job_of(row, context());
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->machine.cluster.network_per_gpu, 50.0 * kGBPerSecond);
  EXPECT_FALSE(stated->machine.cluster.network_assumed);
  row.interconnect = "Management: 25Gb/s Ethernet NIC";
  EXPECT_TRUE(job_of(row, context())->machine.cluster.network_assumed);
}

TEST(ThroughputRowJob, RecomputeThatMakesARunPossibleIsAssumed) {
  KnownThroughputRow row = plain_row();
  row.recompute = "";
  row.sequence_length = 131072;
  row.tensor_parallel = 8;
  row.data_parallel = 1;
  row.gradient_accumulation_steps = 64;
  const auto open = job_of(row, context());
  ASSERT_TRUE(open) << describe(open.error());
  EXPECT_TRUE(open->row.job.recompute_layers);
  EXPECT_TRUE(assumes(open->row, "recompute"));
  row.sequence_length = 2048;
  EXPECT_FALSE(job_of(row, context())->row.job.recompute_layers);
}

struct RefusedCase {
  const char* name;
  void (*edit)(KnownThroughputRow&);
  const char* subject;
};

class RefusedThroughputRows : public testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedThroughputRows, NameTheColumn) {
  KnownThroughputRow row = plain_row();
  GetParam().edit(row);
  const auto prediction = predict(row, context());
  ASSERT_FALSE(prediction);
  EXPECT_NE(describe(prediction.error()).find(GetParam().subject), std::string::npos) << describe(prediction.error());
}

INSTANTIATE_TEST_SUITE_P(
    Reasons,
    RefusedThroughputRows,
    testing::Values(RefusedCase{"unknown_gpu", [](KnownThroughputRow& r) { r.gpu = "Abacus-9000"; }, "Abacus-9000"},
                    RefusedCase{"no_gpu", [](KnownThroughputRow& r) { r.gpu = ""; }, "gpu"},
                    RefusedCase{"no_length", [](KnownThroughputRow& r) { r.sequence_length.reset(); }, "seq_len"},
                    RefusedCase{"no_gpus", [](KnownThroughputRow& r) { r.gpus.reset(); }, "n_gpus"},
                    RefusedCase{"world_size_contradicts", [](KnownThroughputRow& r) { r.data_parallel = 3; }, "dp"},
                    RefusedCase{"batch_contradicts", [](KnownThroughputRow& r) { r.global_batch_size = 63; }, "dp"}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(ThroughputPredictions, RatesAgreeWithTheStep) {
  const auto prediction = predict(plain_row(), context());
  ASSERT_TRUE(prediction) << describe(prediction.error());
  const TimeReport& report = prediction->report;
  EXPECT_NEAR(report.tokens_per_s.base() * report.step_time.mid.base(), 64.0 * 4096, 1.0);
  EXPECT_NEAR(report.tokens_per_s_per_gpu.base() * 8, report.tokens_per_s.base(), 1e-6 * report.tokens_per_s.base());
  EXPECT_LT(report.mfu, 1.0);
}

// Source: arithmetic on Llama-3.1-8B: 8,030,261,248 weights, 525,336,576 of them the input embedding; 32 layers of 32
// heads of 128 at 4096 tokens.
TEST(FlopsConventions, CountWhatTheySay) {
  const Arch& arch = *context().archs.at("llama-3.1-8b");
  const double all = 8030261248.0, embedding = 525336576.0;
  const double full = 12.0 * 32 * 4096 * 4096;  // 12 x layers x width x length per token
  const auto at = [&](FlopsConvention c, Method m) { return flops_per_token_in(c, arch, m, 4096) / kFlop; };
  const double matmuls = 6 * (all - embedding);
  EXPECT_NEAR(at(FlopsConvention::matmul_full, Method::pretraining), matmuls + full, 1e4);
  EXPECT_NEAR(at(FlopsConvention::matmul_causal, Method::pretraining), matmuls + full / 2, 1e-4 * matmuls);
  EXPECT_NEAR(at(FlopsConvention::all_weights_full, Method::pretraining), 6 * all + full, 1e4);
  EXPECT_NEAR(at(FlopsConvention::all_weights_only, Method::pretraining), 6 * all, 1e4);
  EXPECT_NEAR(at(FlopsConvention::hardware_full, Method::pretraining), 4 * (matmuls + full) / 3, 1e4);
  EXPECT_NEAR(at(FlopsConvention::matmul_full_adapter, Method::lora), 2 * (matmuls + full) / 3, 1e4);
  EXPECT_NEAR(at(FlopsConvention::matmul_full_adapter, Method::full), matmuls + full, 1e4);
}

TEST(FlopsConventions, TextsOfSourcesAreRead) {
  const auto of = [](std::string_view text) { return convention_of(context().aliases, text); };
  EXPECT_EQ(of(""), FlopsConvention::matmul_causal);
  EXPECT_EQ(of("HARDWARE flops with full recompute: 96*B*s*L*h^2"), FlopsConvention::hardware_full);
  EXPECT_EQ(of("attention counted with s/(2h) (causal halved)"), FlopsConvention::matmul_causal);
  EXPECT_EQ(of("12*L*h*s attention (causal NOT halved); MFU vs 989"), FlopsConvention::matmul_full);
  EXPECT_EQ(of("6*N*T + 12*L*d*T^2 per seq (causal NOT halved); N=all params"), FlopsConvention::all_weights_full);
}

}  // namespace
}  // namespace mekiki
