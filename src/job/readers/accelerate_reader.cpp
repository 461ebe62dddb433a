// accelerate's YAML, as `accelerate config` writes it: how processes are started and what shards, nothing of the job.
// Source: huggingface/accelerate src/accelerate/commands/config/config_args.py and cluster.py,
// examples/config_yaml_templates/ @16cb6eb8.
#include "job/readers/engines.h"
#include "job/readers/formats.h"
#include "job/readers/shared_words.h"

namespace mekiki {
namespace {

using enum Treatment;

constexpr Translation kPrecisions[] = {{"bf16", "bf16-mixed"}, {"fp16", "fp16-mixed"}, {"fp8", "fp8"}, {"no", "fp32"}};
constexpr Translation kKinds[] = {{"NO", ""}, {"MULTI_GPU", ""}, {"FSDP", ""}, {"DEEPSPEED", ""}};
constexpr Translation kOffloads[] = {{"cpu", ""}, {"nvme", ""}};

constexpr KeyRule kRules[] = {
    {"distributed_type", translated, "", kKinds},
    {"mixed_precision", translated, "precision", kPrecisions},
    {"num_processes", copied, "gpus"},
    {"use_cpu", not_modelled},
    {"dynamo_config.dynamo_backend"},
    {"deepspeed_config.deepspeed_config_file"},
    {"deepspeed_config.zero_stage", copied, "zero_stage"},
    {"deepspeed_config.gradient_accumulation_steps", copied, "gradient_accumulation_steps"},
    {"deepspeed_config.offload_optimizer_device", translated, "", kOffloads},
    {"deepspeed_config.offload_param_device", translated, "", kOffloads},
    {"gradient_accumulation_steps", copied, "gradient_accumulation_steps"},
    {"parallelism_config.parallelism_config_dp_replicate_size", above_one, "dp_replicate"},
    {"parallelism_config.parallelism_config_dp_shard_size", above_one, "dp_shard"},
    {"parallelism_config.parallelism_config_tp_size", above_one, "tensor_parallel"},
    {"parallelism_config.parallelism_config_cp_size", above_one, "context_parallel"},
    {"parallelism_config.parallelism_config_sp_size", above_one, "context_parallel"},
    {"megatron_lm_config.*", not_modelled},
    {"tpu_name", not_modelled},
    {"ipex_config*", not_modelled},
};

constexpr std::string_view kHarmless[] = {
    "compute_environment",
    "debug",
    "downcast_bf16",
    "enable_cpu_affinity",
    "gpu_ids",
    "machine_rank",
    "main_process_*",
    "main_training_function",
    "num_machines",
    "rdzv_backend",
    "same_network",
    "tpu_*",
    "deepspeed_config.gradient_clipping",
    "deepspeed_config.zero3_*",
    "deepspeed_config.deepspeed_multinode_launcher",
    "deepspeed_config.deepspeed_hostfile",
    "deepspeed_config.deepspeed_moe_layer_cls_names",
    "fp8_config.*",
    "dynamo_config.*",
    "mpirun_config*",
    "command_file",
    "commands",
    "deepspeed_config.offload_*_nvme_path",
    "parallelism_config.parallelism_config_cp_*",
    "parallelism_config.parallelism_config_sp_*",
};

Engine read_engine(Draft& draft) {
  const std::string_view kind = draft.text("distributed_type");
  OffloadParts offload;
  if (same_word(kind, "DEEPSPEED")) {
    const Engine by_file = read_deepspeed_key(draft, "deepspeed_config.deepspeed_config_file");
    const auto device = [&](std::string_view key) { return draft.is_on(key) ? draft.find(key) : nullptr; };
    offload.optimizer = device("deepspeed_config.offload_optimizer_device");
    offload.weights = device("deepspeed_config.offload_param_device");
    set_offload(draft, offload);
    if (by_file == Engine::none) {
      draft.set_default("zero_stage", "2");  // the default of its DeepSpeedPlugin
    }
    return Engine::deepspeed;
  }
  if (!same_word(kind, "FSDP")) {
    return Engine::none;
  }
  read_fsdp(draft, offload);
  set_offload(draft, offload);
  draft.set_default("zero_stage", "3");
  return Engine::fsdp;
}

void read(Draft& draft) {
  read_accelerate(draft);
  draft.set_default("framework", "hf-trainer");
}

constexpr std::string_view kSigns[] = {"distributed_type", "compute_environment"};

}  // namespace

void read_accelerate(Draft& draft) {
  draft.apply({{kRules, kHarmless}, {kFsdpRules, kHarmlessFsdpKeys}});
  if (const Engine engine = read_engine(draft); engine != Engine::none) {
    draft.set_default("framework", profile_of(engine));
  }
  if (const Setting* backend = draft.find("dynamo_config.dynamo_backend");
      backend != nullptr && !is_off(*backend->value)) {
    draft.set("compile", "yes", *backend);
  }
}

const FormatReader kAccelerateReader{"accelerate", kSigns, read};

}  // namespace mekiki
