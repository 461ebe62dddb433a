// torchtitan: TOML files (until November 2025 and those of 2024 with other sections), command lines that override them
// (`--training.seq_len=8192`), and command lines of today that name a config in code (`--module llama3 --config
// llama3_8b`).
// Source: pytorch/torchtitan torchtitan/config/job_config.py and models/*/train_configs/*.toml @238fa995;
// train_configs/*.toml @6a6f755d (2024: [training] batch_size, compile and degrees, [experimental], [float8]);
// torchtitan/config/configs.py and models/*/config_registry.py @b5bcd76c (today).
#include <algorithm>
#include <string>

#include "job/readers/engines.h"
#include "job/readers/formats.h"
#include "job/readers/shared_words.h"

namespace mekiki {
namespace {

using enum Treatment;

// A flavor of a model in code, by the published model with the same shapes.
struct Flavor {
  std::string_view name;
  std::string_view flavor;
  std::string_view model;
};
constexpr Flavor kFlavors[] = {
    {"llama2", "7B", "meta-llama/Llama-2-7b-hf"},
    {"llama2", "13B", "meta-llama/Llama-2-13b-hf"},
    {"llama2", "70B", "meta-llama/Llama-2-70b-hf"},
    {"llama3", "1B", "meta-llama/Llama-3.2-1B"},
    {"llama3", "3B", "meta-llama/Llama-3.2-3B"},
    {"llama3", "8B", "meta-llama/Llama-3.1-8B"},
    {"llama3", "70B", "meta-llama/Llama-3.1-70B"},
    {"llama3", "405B", "meta-llama/Llama-3.1-405B"},
    {"qwen3", "0.6B", "Qwen/Qwen3-0.6B"},
    {"qwen3", "1.7B", "Qwen/Qwen3-1.7B"},
    {"qwen3", "4B", "Qwen/Qwen3-4B"},
    {"qwen3", "8B", "Qwen/Qwen3-8B"},
    {"qwen3", "14B", "Qwen/Qwen3-14B"},
    {"qwen3", "32B", "Qwen/Qwen3-32B"},
    {"qwen3", "30B-A3B", "Qwen/Qwen3-30B-A3B"},
    {"qwen3", "235B-A22B", "Qwen/Qwen3-235B-A22B"},
    {"deepseek_v3", "16B", "deepseek-ai/DeepSeek-V2-Lite"},
    {"deepseek_v3", "236B", "deepseek-ai/DeepSeek-V2"},
    {"deepseek_v3", "671B", "deepseek-ai/DeepSeek-V3"},
    {"gpt_oss", "20b", "openai/gpt-oss-20b"},
    {"gpt_oss", "120b", "openai/gpt-oss-120b"},
};

// A config in code: what it says of the job. Empty: the default of the option.
struct Preset {
  std::string_view config;
  std::string_view name;
  std::string_view flavor;
  std::string_view micro_batch_size;
  std::string_view sequence_length;
  std::string_view recompute;
  std::string_view tensor_parallel;
  std::string_view expert_parallel;
};
constexpr Preset kPresets[] = {
    {"llama3_8b", "llama3", "8B", "1", "8192", "selective", "", ""},
    {"llama3_70b", "llama3", "70B", "8", "8192", "full", "8", ""},
    {"llama3_405b", "llama3", "405B", "2", "8192", "full", "8", ""},
    {"qwen3_0_6b", "qwen3", "0.6B", "4", "4096", "selective", "", ""},
    {"qwen3_1_7b", "qwen3", "1.7B", "4", "4096", "selective", "", ""},
    {"qwen3_14b", "qwen3", "14B", "4", "4096", "full", "", ""},
    {"qwen3_30b_a3b", "qwen3", "30B-A3B", "2", "4096", "full", "", ""},
    {"qwen3_32b", "qwen3", "32B", "2", "4096", "full", "", ""},
    {"deepseek_v3_16b", "deepseek_v3", "16B", "4", "4096", "selective", "", "8"},
    {"deepseek_v3_671b", "deepseek_v3", "671B", "4", "4096", "selective", "", "2"},
    {"gpt_oss_20b", "gpt_oss", "20b", "1", "8192", "full", "", ""},
    {"gpt_oss_120b", "gpt_oss", "120b", "1", "8192", "full", "", ""},
};

constexpr Translation kNorms[] = {{"rmsnorm", ""}};
constexpr Translation kOptimizers[] = {{"AdamW", "adamw"}, {"Adam", "adamw"}};
constexpr Translation kImplementations[] = {{"fused", "fused"}, {"foreach", "foreach"}, {"for-loop", ""}};
constexpr Translation kFused[] = {{"true", "fused"}, {"false", "foreach"}};
constexpr Translation kInBackward[] = {{"true", "in_backward"}, {"false", ""}};
constexpr Translation kPrecisions[] = {{"float32", ""}, {"bfloat16", "bf16-pure"}};
constexpr Translation kMixed[] = {{"bfloat16", "bf16-mixed"}, {"float32", "fp32"}, {"float16", "fp16-mixed"}};
constexpr Translation kReduced[] = {{"float32", ""}};
constexpr Translation kOffload[] = {{"true", "optimizer_and_weights"}, {"false", ""}};
constexpr Translation kReshard[] = {{"default", ""}, {"always", "yes"}, {"never", "no"}};
constexpr Translation kFp8[] = {{"true", "fp8"}, {"false", ""}};

constexpr KeyRule kRules[] = {
    {"model.name"},
    {"model.flavor"},
    {"hf_transformers.model", copied, "model"},
    {"module"},
    {"config"},
    {"model.converters"},
    {"model.norm_type", translated, "", kNorms},
    {"float8.enable_float8_linear", translated, "precision", kFp8},
    {"quantize.grouped_mm.*", not_modelled},
    {"optimizer.name", translated, "optimizer", kOptimizers},
    {"optimizer.implementation", translated, "optimizer_implementation", kImplementations},
    {"optimizer.fused", translated, "optimizer_implementation", kFused},
    {"optimizer.early_step_in_backward", translated, "optimizer_implementation", kInBackward},
    {"training.local_batch_size"},
    {"training.batch_size"},
    {"training.num_tokens_per_microbatch_per_dp_rank"},
    {"training.global_batch_size"},
    {"training.seq_len", copied, "sequence_length"},
    {"training.max_context_length", copied, "sequence_length"},
    {"training.steps", run_length},
    {"training.dtype", translated, "precision", kPrecisions},
    {"training.mixed_precision_param", translated, "precision", kMixed},
    {"training.mixed_precision_reduce", translated, "", kReduced},
    {"training.enable_cpu_offload", translated, "offload", kOffload},
    {"training.compile", translated, "compile", kYesNo},
    {"compile.enable"},
    {"compile.components"},
    {"parallelism.data_parallel_replicate_degree", above_one, "dp_replicate"},
    {"training.data_parallel_replicate_degree", above_one, "dp_replicate"},
    {"parallelism.data_parallel_shard_degree", above_one, "dp_shard"},
    {"training.data_parallel_shard_degree", above_one, "dp_shard"},
    {"parallelism.tensor_parallel_degree", above_one, "tensor_parallel"},
    {"training.tensor_parallel_degree", above_one, "tensor_parallel"},
    {"parallelism.context_parallel_degree", above_one, "context_parallel"},
    {"experimental.context_parallel_degree", above_one, "context_parallel"},
    {"parallelism.pipeline_parallel_degree", above_one, "pipeline_parallel"},
    {"experimental.pipeline_parallel_degree", above_one, "pipeline_parallel"},
    {"parallelism.expert_parallel_degree", above_one, "expert_parallel"},
    {"parallelism.expert_tensor_parallel_degree"},
    {"parallelism.enable_sequence_parallel", translated, "sequence_parallel", kYesNo},
    {"parallelism.fsdp_reshard_after_forward", translated, "reshard_after_forward", kReshard},
    {"parallelism.pipeline_parallel_schedule"},
    {"parallelism.pipeline_parallel_microbatch_size"},
    {"parallelism.pipeline_parallel_layers_per_stage"},
    {"parallelism.disable_loss_parallel", not_modelled},
    {"parallelism.module_fqns_per_model_part", not_modelled},
    {"parallelism.pipeline_parallel_schedule_csv", not_modelled},
    {"activation_checkpoint.mode"},
    {"activation_checkpoint.selective_ac_option"},
    {"fault_tolerance.enable", not_modelled},
    {"training.img_size", not_modelled},
    {"data.max_patches_per_*", not_modelled},
    {"data.max_images_per_*"},
    {"job.custom_config_module", not_modelled},
};

// Output, profiles, metrics, learning rates, checkpoints, data, validation, communication timeouts.
constexpr std::string_view kHarmless[] = {
    "job.*",
    "profiling.*",
    "profiler.*",
    "metrics.*",
    "model.hf_assets_path",
    "model.tokenizer_path",
    "hf_assets_path",
    "model.print_after_conversion",
    "model.tokenizer",
    "optimizer.lr",
    "optimizer.beta*",
    "optimizer.eps",
    "optimizer.weight_decay",
    "lr_scheduler.*",
    "training.warmup_steps",
    "training.max_norm",
    "training.dataset*",
    "training.gc_*",
    "training.dataloader*",
    "training.seed",
    "training.deterministic",
    "dataloader.*",
    "training.classifier_free_guidance_prob",
    "checkpoint.*",
    "comm.*",
    "memory_estimation.*",
    "fault_tolerance.*",
    "validation.*",
    "validator.*",
    "debug.*",
    "experimental.custom_*",
    "experimental.enable_async_tensor_parallel",
    "parallelism.enable_async_tensor_parallel",
    "parallelism.context_parallel_load_balancer",
    "parallelism.context_parallel_rotate_method",
    "parallelism.expert_parallel_comm_backend",
    "parallelism.pipeline_parallel_*_stage_less_layers",
    "parallelism.pipeline_parallel_expert_parallel_overlap",
    "parallelism.spmd_backend",
    "compile.backend",
    "compile.enable_async_tensor_parallel",
    "activation_checkpoint.*",
    "float8.*",
    "quantize.linear.*",
    "encoder.*",
    "inference.*",
    "job_config_file",
    "job.config_file",
    "debug_*",
};

void set_model(Draft& draft, std::string_view name, std::string_view flavor, const Setting& said) {
  const auto* found = std::find_if(std::begin(kFlavors), std::end(kFlavors), [&](const Flavor& known) {
    return known.name == name && known.flavor == flavor;
  });
  // A flavor without a published model is looked up, and refused, under its own name.
  draft.set("model",
            found != std::end(kFlavors) ? std::string(found->model) : std::string(name) + "-" + std::string(flavor),
            said);
}

void read_preset(Draft& draft, const Setting& config) {
  const auto* preset = std::find_if(
      std::begin(kPresets), std::end(kPresets), [&](const Preset& known) { return known.config == *config.value; });
  if (preset == std::end(kPresets)) {
    return draft.note(JobFileNoteKind::unknown_value, config);
  }
  const auto set_if_open = [&](std::string_view key, std::string_view value) {
    if (!value.empty() && !draft.sets(key)) {
      draft.set(key, value, config);
    }
  };
  if (!draft.sets("model")) {
    set_model(draft, preset->name, preset->flavor, config);
  }
  set_if_open("sequence_length", preset->sequence_length);
  set_if_open("micro_batch_size", preset->micro_batch_size);
  set_if_open("activation_recompute", preset->recompute);
  set_if_open("tensor_parallel", preset->tensor_parallel);
  set_if_open("expert_parallel", preset->expert_parallel);
}

void read_model(Draft& draft) {
  if (const Setting* flavor = draft.find("model.flavor"); flavor != nullptr && !draft.sets("model")) {
    const std::string_view name = draft.text("model.name");
    set_model(draft, name.empty() ? "llama3" : name, *flavor->value, *flavor);
  }
}

// "full", "none", or "selective" by ops or every so many layers; every second one where a file says no more.
void read_recompute(Draft& draft) {
  const Setting* mode = draft.find("activation_checkpoint.mode");
  const Setting* option = draft.find("activation_checkpoint.selective_ac_option");
  if (mode == nullptr) {
    return;
  }
  const bool by_layers = same_word(*mode->value, "selective") && (option == nullptr || *option->value != "op");
  if (!by_layers) {
    return draft.set("activation_recompute", *mode->value, *mode);
  }
  draft.set("activation_recompute", "every_k", *mode);
  if (option != nullptr && whole_number(*option->value)) {
    draft.set("recompute_every", *option->value, *option);
  }
}

// With a pipeline the local batch is cut into micro-batches.
void read_batch(Draft& draft) {
  const Setting* local = draft.find("training.local_batch_size");
  local = local == nullptr ? draft.find("training.batch_size") : local;
  if (const Setting* global = draft.find("training.global_batch_size");
      global != nullptr && whole_number(*global->value)) {
    draft.set("global_batch_size", *global->value, *global);
  }
  if (const Setting* tokens = draft.find("training.num_tokens_per_microbatch_per_dp_rank")) {
    const auto count = whole_number(*tokens->value);
    const auto length = whole_number(draft.text("training.max_context_length"));
    if (!count || !length || *count % *length != 0) {
      return draft.note(JobFileNoteKind::unknown_value, *tokens);
    }
    return draft.set("micro_batch_size", std::to_string(*count / *length), *tokens);
  }
  if (local == nullptr) {
    return;
  }
  const std::int64_t whole = whole_number(*local->value).value_or(0);
  const std::int64_t micro = whole_number(draft.text("parallelism.pipeline_parallel_microbatch_size")).value_or(1);
  if (draft.sets("pipeline_parallel") && whole > 0 && whole % micro == 0) {
    draft.set("micro_batch_size", std::to_string(micro), *local);
    return draft.set("gradient_accumulation_steps", std::to_string(whole / micro), *local);
  }
  draft.set("micro_batch_size", *local->value, *local);
}

void read_numbers(Draft& draft) {
  const Setting* converters = draft.find("model.converters");
  if (converters == nullptr) {
    return draft.set_default("precision", "bf16-mixed");
  }
  const bool mx = converters->value->find("mx") != std::string::npos;
  if (mx || converters->value->find("float8") != std::string::npos) {
    draft.set("precision", mx ? "mxfp8" : "fp8", *converters);
  } else {
    draft.note(JobFileNoteKind::unknown_value, *converters);
  }
}

void read_compile(Draft& draft) {
  const Setting* enable = draft.find("compile.enable");
  const Setting* components = draft.find("compile.components");
  if (enable == nullptr || is_off(*enable->value)) {
    return;
  }
  if (components != nullptr && components->value->find("model") == std::string::npos) {
    return draft.note(JobFileNoteKind::not_modelled, *components);
  }
  draft.set("compile", "yes", *enable);
}

/// Names of torch.distributed.pipelining.schedules; two stages per rank where nothing else is said.
void read_schedule(Draft& draft, const Setting& schedule) {
  struct Named {
    std::string_view name, schedule;
    bool two_stages;
  };
  constexpr Named kSchedules[] = {{"1F1B", "1f1b", false},
                                  {"Interleaved1F1B", "1f1b", true},
                                  {"GPipe", "gpipe", false},
                                  {"LoopedBFS", "gpipe", true},
                                  {"InterleavedZeroBubble", "zero_bubble", true},
                                  {"ZBVZeroBubble", "zero_bubble_v", false}};
  const auto* known = std::find_if(
      std::begin(kSchedules), std::end(kSchedules), [&](const Named& named) { return named.name == *schedule.value; });
  if (known == std::end(kSchedules)) {
    return draft.note(JobFileNoteKind::not_modelled, schedule);
  }
  draft.set("pipeline_schedule", known->schedule, schedule);
  if (known->two_stages) {
    draft.set("virtual_pipeline", "2", schedule);
  }
}

void read_pipeline(Draft& draft) {
  if (!draft.sets("pipeline_parallel")) {
    return;
  }
  const Setting* schedule = draft.find("parallelism.pipeline_parallel_schedule");
  if (schedule != nullptr) {
    read_schedule(draft, *schedule);
  }
  if (const Setting* layers = draft.find("parallelism.pipeline_parallel_layers_per_stage")) {
    draft.note(JobFileNoteKind::not_modelled, *layers);
  }
}

void read(Draft& draft) {
  draft.apply({{kRules, kHarmless}, {{}, kHarmlessLauncherKeys}});
  read_model(draft);
  read_recompute(draft);
  read_numbers(draft);
  read_compile(draft);
  read_pipeline(draft);
  read_batch(draft);
  // Expert ranks beyond the tensor axis say nothing where experts are not spread.
  if (const Setting* degree = draft.find("parallelism.expert_tensor_parallel_degree");
      degree != nullptr && draft.sets("expert_parallel") && whole_number(*degree->value).value_or(0) > 1) {
    draft.set("expert_tensor_parallel", *degree->value, *degree);
  }
  const Setting* config = draft.find("config");
  config = config == nullptr ? draft.find("env.CONFIG") : config;
  if (config != nullptr) {
    read_preset(draft, *config);
  }
  read_launcher(draft);
  draft.set_default("framework", "torchtitan");
  draft.set_default("method", "pretraining");
  draft.set_default("sequence_length", "2048");
  draft.set_default("micro_batch_size", "8");
  draft.set_default("activation_recompute", "selective");
  if (draft.find("training.batch_size") == nullptr) {
    draft.set_default("optimizer_implementation", "fused");
  }
}

constexpr std::string_view kSigns[] = {"model.flavor",
                                       "training.seq_len",
                                       "training.local_batch_size",
                                       "training.max_context_length",
                                       "training.steps",
                                       "torchtitan.train",
                                       "run_train.sh",
                                       "job.dump_folder"};

}  // namespace

const FormatReader kTorchtitanReader{"torchtitan", kSigns, read};

}  // namespace mekiki
