#include "job/readers/foreign_job.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

SettingsFile settings(std::string_view text) {
  const Result<SettingsFile> file = read_settings(text, "job");
  EXPECT_TRUE(file) << describe(file.error());
  return file.value_or(SettingsFile{});
}

JobRequest read(std::string_view text, const References& references = {}) {
  const SettingsFile file = settings(text);
  const auto format = recognised_format(file);
  EXPECT_TRUE(format && *format) << text;
  const Result<ForeignJob> job = read_foreign_job(file, format && *format ? **format : "hf-trainer", references);
  EXPECT_TRUE(job);
  return job ? job->request : JobRequest{};
}

bool has_note(const JobRequest& request, JobFileNoteKind kind, std::string_view key) {
  return std::any_of(request.notes.begin(), request.notes.end(), [&](const JobFileNote& note) {
    return note.kind == kind && note.key == key;
  });
}

TEST(ForeignJob, FormatFollowsFromKeysAndOneThatFitsSeveralIsRefused) {
  EXPECT_EQ(*recognised_format(settings("model: llama-3.2-1b\nmicro_batch_size: 2\n")), std::nullopt);
  EXPECT_EQ(*recognised_format(settings("model_name_or_path: a\nper_device_train_batch_size: 1\n")), "hf-trainer");
  EXPECT_EQ(*recognised_format(settings("model_name_or_path: a\nper_device_train_batch_size: 1\ncutoff_len: 8\n")),
            "llama-factory");
  EXPECT_EQ(*recognised_format(settings("{\"hidden_size\": 8, \"model_type\": \"llama\"}")), std::nullopt);
  const auto both = recognised_format(settings("base_model: a\ndistributed_type: FSDP\n"));
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().code, ErrorCode::conflict);
  EXPECT_NE(both.error().message.find("axolotl, accelerate"), std::string::npos) << describe(both.error());
  const auto unknown = read_foreign_job(settings("a: 1"), "axolot", {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::not_found);
  EXPECT_NE(unknown.error().hint.find("axolotl"), std::string::npos);
}

// Precision by how weights are loaded and who keeps copies of them: sources in the readers.
TEST(ForeignJob, SixteenBitWeightsAreTrainedAsTheyAreUnlessAnEngineKeepsCopies) {
  const std::string full = "base_model: a\nbf16: auto\n";
  EXPECT_EQ(read(full).job.precision, Precision::bf16_pure);
  EXPECT_EQ(read(full + "adapter: lora\n").job.precision, Precision::bf16_mixed);
  const JobRequest sharded = read(full + "fsdp_config:\n  reshard_after_forward: true\n");
  EXPECT_EQ(sharded.job.precision, Precision::bf16_mixed);
  EXPECT_EQ(sharded.job.framework, "accelerate-fsdp");
  EXPECT_EQ(sharded.layout.zero_stage, 3);
  const std::string factory = "model_name_or_path: a\nfinetuning_type: full\ncutoff_len: 8\n";
  EXPECT_EQ(read(factory + "bf16: true\n").job.precision, Precision::bf16_mixed);
  EXPECT_EQ(read(factory + "pure_bf16: true\n").job.precision, Precision::bf16_pure);
}

TEST(ForeignJob, NamedFilesAreReadAndMissingOnesAreNoted) {
  const std::string_view text = "base_model: a\ndeepspeed: zero.json\n";
  const Result<ForeignJob> first = read_foreign_job(settings(text), "axolotl", {});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->wanted, (std::vector<std::string>{"zero.json"}));
  EXPECT_TRUE(has_note(first->request, JobFileNoteKind::missing_file, "deepspeed"));
  const JobRequest read_both = read(
      text,
      {{"zero.json",
        R"({"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}, "odd": 1}, "bf16": {"enabled": true}})"}});
  EXPECT_EQ(read_both.layout.zero_stage, 3);
  EXPECT_EQ(read_both.job.offload, Offload::optimizer);
  EXPECT_EQ(read_both.job.framework, "deepspeed");
  EXPECT_EQ(read_both.origins.at("zero_stage"), "zero.json:1:24");
  EXPECT_TRUE(has_note(read_both, JobFileNoteKind::unknown_key, "zero_optimization.odd"));
  EXPECT_FALSE(has_note(read_both, JobFileNoteKind::missing_file, "deepspeed"));
  EXPECT_TRUE(has_note(read(text, {{"zero.json", std::nullopt}}), JobFileNoteKind::missing_file, "deepspeed"));
}

TEST(ForeignJob, NothingIsDroppedInSilence) {
  const JobRequest request = read(
      "base_model: a\noptimizer: odd\nodd_key: 1\nliger_rope: true\nlisa_n_layers: 0\nnum_epochs: 3\n"
      "wandb_project: x\nseed: 1\nseed: 2\nadapter:\n");
  EXPECT_TRUE(has_note(request, JobFileNoteKind::unknown_value, "optimizer"));
  EXPECT_TRUE(has_note(request, JobFileNoteKind::unknown_key, "odd_key"));
  EXPECT_TRUE(has_note(request, JobFileNoteKind::not_modelled, "liger_rope"));
  EXPECT_TRUE(has_note(request, JobFileNoteKind::run_length, "num_epochs"));
  EXPECT_TRUE(has_note(request, JobFileNoteKind::given_twice, "seed"));
  EXPECT_EQ(request.notes.size(), 5U);
}

// Values that a tool takes where its file says nothing: sources in the readers.
TEST(ForeignJob, WhatIsNotSaidFollowsTheToolsDefaults) {
  const JobRequest axolotl = read("base_model: a\nadapter: lora\n");
  EXPECT_EQ(axolotl.job.sequence_length, 512);
  EXPECT_EQ(axolotl.job.activation_recompute, ActivationRecompute::none);
  const JobRequest factory = read("model_name_or_path: a\nfinetuning_type: lora\n");
  EXPECT_EQ(factory.job.sequence_length, 2048);
  EXPECT_EQ(factory.job.micro_batch_size, 8);
  EXPECT_EQ(factory.job.lora->rank, 8);
  EXPECT_EQ(factory.job.activation_recompute, ActivationRecompute::full);
  const JobRequest swift = read("swift sft --model a --torch_dtype bfloat16 --quant_bits 4");
  EXPECT_EQ(swift.job.method, Method::qlora);
  EXPECT_EQ(swift.job.quantization, Quantization::nf4);
  EXPECT_EQ(swift.job.micro_batch_size, 1);
}

TEST(ForeignJob, CommandLinesAndPresetsOfTorchtitan) {
  const JobRequest old = read(
      "torchrun --nproc_per_node=8 --nnodes 2 -m torchtitan.train --model.name llama3 --model.flavor 70B "
      "--training.seq_len=8192 --training.local_batch_size 4 --parallelism.pipeline_parallel_degree 2 "
      "--parallelism.tensor-parallel-degree=4 --activation_checkpoint.mode full --model.converters float8");
  EXPECT_EQ(old.model, "meta-llama/Llama-3.1-70B");
  EXPECT_EQ(old.target.gpus, 16);
  EXPECT_EQ(old.job.sequence_length, 8192);
  EXPECT_EQ(old.job.micro_batch_size, 1);
  EXPECT_EQ(old.job.gradient_accumulation_steps, 4);
  EXPECT_EQ(old.layout.tensor_parallel, 4);
  EXPECT_EQ(old.job.precision, Precision::fp8);
  const JobRequest today =
      read("NGPU=64 MODULE=llama3 CONFIG=llama3_70b ./run_train.sh --training.max_context_length 4096 --debug.seed 1");
  EXPECT_EQ(today.model, "meta-llama/Llama-3.1-70B");
  EXPECT_EQ(today.target.gpus, 64);
  EXPECT_EQ(today.job.sequence_length, 4096);
  EXPECT_EQ(today.job.micro_batch_size, 8);
  EXPECT_EQ(today.layout.tensor_parallel, 8);
  EXPECT_EQ(read("[model]\nname = \"llama3\"\nflavor = \"debugmodel\"\n").model, "llama3-debugmodel");
}

TEST(ForeignJob, LaunchersSayHowManyGpus) {
  const std::string options = " --model_name_or_path a --per_device_train_batch_size 1 --bf16 ";
  EXPECT_EQ(read("torchrun --nproc_per_node 4 --nnodes 2 t.py" + options).target.gpus, 8);
  EXPECT_EQ(read("deepspeed --num_gpus=2 t.py" + options).target.gpus, 2);
  EXPECT_EQ(read("CUDA_VISIBLE_DEVICES=3 python t.py" + options).target.gpus, 1);
  EXPECT_FALSE(read("torchrun --nproc_per_node gpu t.py" + options).target.gpus);
  const JobRequest launched = read("accelerate launch --config_file a.yaml t.py" + options,
                                   {{"a.yaml", "distributed_type: FSDP\nnum_processes: 8\nmixed_precision: bf16\n"}});
  EXPECT_EQ(launched.target.gpus, 8);
  EXPECT_EQ(launched.job.framework, "accelerate-fsdp");
}

}  // namespace
}  // namespace mekiki
