// DeepSpeed's JSON, alone and as the file that another tool names.
// Source: deepspeedai/DeepSpeed deepspeed/runtime/config.py, deepspeed/runtime/zero/config.py,
// deepspeed/runtime/constants.py @edaa7221; deepspeedai/DeepSpeedExamples @45b4b715 (keys in use). "auto" is filled by
// the trainer from its own arguments: huggingface/accelerate src/accelerate/utils/deepspeed.py @16cb6eb8.
#include "job/readers/engines.h"
#include "job/readers/formats.h"

namespace mekiki {
namespace {

using enum Treatment;

constexpr Translation kOptimizers[] = {
    {"Adam", "adamw"}, {"AdamW", "adamw"}, {"Muon", "muon"}, {"Lion", "lion"}, {"SGD", "sgd"}, {"auto", ""}};
// The profile's bucket; other sizes take other temporary memory.
constexpr Translation kBuckets[] = {{"5e8", ""}, {"5e+08", ""}, {"500000000", ""}, {"500000000.0", ""}};

// Its limits of gathered parameters and of elements updated at once.
constexpr Translation kLimits[] = {{"1e9", ""}, {"1e+09", ""}, {"1000000000", ""}, {"1000000000.0", ""}};

constexpr KeyRule kRules[] = {
    {"train_micro_batch_size_per_gpu"},
    {"train_batch_size"},
    {"gradient_accumulation_steps"},
    {"zero_optimization.stage"},
    {"zero_optimization.offload_optimizer.device"},
    {"zero_optimization.offload_param.device"},
    {"zero_optimization.cpu_offload"},
    {"zero_optimization.cpu_offload_params"},
    {"zero_optimization.reduce_bucket_size", translated, "", kBuckets},
    {"zero_optimization.sub_group_size", translated, "", kLimits},
    {"zero_optimization.stage3_max_live_parameters", translated, "", kLimits},
    {"zero_optimization.max_live_parameters", not_modelled},
    {"zero_optimization.zero_hpz_partition_size", not_modelled},
    {"zero_optimization.zero_quantized_*", not_modelled},
    {"zero_optimization.mics_shard_size", not_modelled},
    {"zero_optimization.zenflow*", not_modelled},
    {"optimizer.type", translated, "optimizer", kOptimizers},
    {"bf16.enabled"},
    {"fp16.enabled"},
    {"bf16.bf16_master_weights_and_grads", not_modelled},
    {"fp16.fp16_master_weights_and_grads", not_modelled},
    {"amp.enabled", not_modelled},
    {"data_types.grad_accum_dtype", not_modelled},
    {"activation_checkpointing.partition_activations", not_modelled},
    {"activation_checkpointing.cpu_checkpointing", not_modelled},
    {"tensor_parallel.autotp_size", above_one, "tensor_parallel"},
    {"sequence_parallel_size", above_one, "context_parallel"},
    {"compression_training.*.enabled", not_modelled},
    {"curriculum_learning.enabled", not_modelled},
    {"data_efficiency.enabled", not_modelled},
    {"torch_autocast.enabled", not_modelled},
    {"compile.deepcompile", not_modelled},
    {"zero_allow_untested_optimizer"},
    {"zero_force_ds_cpu_optimizer"},
};

// Learning rates, loss scaling, logging, how gradients travel at the same size, compression and curricula in detail.
constexpr std::string_view kHarmless[] = {
    "_comment",
    "optimizer.params*",
    "scheduler*",
    "gradient_clipping",
    "prescale_gradients",
    "gradient_predivide_factor",
    "sparse_gradients",
    "steps_per_print",
    "wall_clock_breakdown",
    "dump_state",
    "fp16.*",
    "bf16.auto_cast",
    "bf16.immediate_grad_update",
    "zero_optimization.overlap_comm",
    "zero_optimization.contiguous_gradients",
    "zero_optimization.reduce_scatter",
    "zero_optimization.allgather_*",
    "zero_optimization.round_robin_gradients",
    "zero_optimization.gather_16bit_weights_on_model_save",
    "zero_optimization.stage3_gather_16bit_weights_on_model_save",
    "zero_optimization.stage3_gather_fp16_weights_on_model_save",
    "zero_optimization.stage3_max_reuse_distance",
    "zero_optimization.max_reuse_distance",
    "zero_optimization.stage3_param_persistence_threshold",
    "zero_optimization.stage3_prefetch_bucket_size",
    "zero_optimization.offload_optimizer.*",
    "zero_optimization.offload_param.*",
    "zero_optimization.elastic_checkpoint",
    "zero_optimization.load_from_fp32_weights",
    "zero_optimization.memory_efficient_linear",
    "zero_optimization.ignore_unused_parameters",
    "zero_optimization.cpu_offload_use_pin_memory",
    "comms_logger*",
    "comms_config*",
    "monitor_config*",
    "tensorboard*",
    "wandb*",
    "csv_monitor*",
    "flops_profiler*",
    "autotuning*",
    "aio*",
    "checkpoint*",
    "communication_data_type",
    "seq_parallel_communication_data_type",
    "compression_training*",
    "curriculum_learning*",
    "data_efficiency*",
    "compile.*",
    "activation_checkpointing.*",
    "hybrid_engine*",
    "disable_allgather",
    "elasticity*",
};

bool is_auto(std::string_view value) {
  return same_word(value, "auto");
}

// The tool that names the file fills "auto", and what it said itself of these counts.
void copy_number(Draft& draft, std::string_view theirs, std::string_view ours) {
  const Setting* said = draft.find(theirs);
  if (said != nullptr && !is_auto(*said->value) && !draft.sets(ours)) {
    draft.set(ours, *said->value, *said);
  }
}

void read_offload(Draft& draft) {
  OffloadParts offload;
  const auto moved = [&](std::string_view key) {
    const Setting* said = draft.find(key);
    return said != nullptr && !is_off(*said->value) ? said : nullptr;
  };
  offload.optimizer = moved("zero_optimization.offload_optimizer.device");
  offload.optimizer = offload.optimizer != nullptr ? offload.optimizer : moved("zero_optimization.cpu_offload");
  offload.weights = moved("zero_optimization.offload_param.device");
  offload.weights = offload.weights != nullptr ? offload.weights : moved("zero_optimization.cpu_offload_params");
  set_offload(draft, offload);
}

void read_precision(Draft& draft) {
  constexpr Translation kFlags[] = {{"bf16.enabled", "bf16-mixed"}, {"fp16.enabled", "fp16-mixed"}};
  bool left_open = false;
  for (const Translation& flag : kFlags) {
    left_open = left_open || is_auto(draft.text(flag.theirs));
    if (draft.is_on(flag.theirs) && !is_auto(draft.text(flag.theirs))) {
      return draft.set("precision", flag.ours, *draft.find(flag.theirs));
    }
  }
  if (!left_open && !draft.sets("model")) {
    draft.set_default("precision", "fp32");
  }
}

void read_alone(Draft& draft) {
  read_deepspeed(draft);
  draft.set_default("framework", "deepspeed");
}

constexpr std::string_view kSigns[] = {
    "zero_optimization.stage", "train_micro_batch_size_per_gpu", "train_batch_size", "zero_allow_untested_optimizer"};

}  // namespace

void read_deepspeed(Draft& draft) {
  draft.apply({{kRules, kHarmless}});
  copy_number(draft, "train_micro_batch_size_per_gpu", "micro_batch_size");
  copy_number(draft, "gradient_accumulation_steps", "gradient_accumulation_steps");
  if (!draft.sets("micro_batch_size") || !draft.sets("gradient_accumulation_steps")) {
    copy_number(draft, "train_batch_size", "global_batch_size");
  }
  if (const Setting* stage = draft.find("zero_optimization.stage")) {
    draft.set("zero_stage", *stage->value, *stage);
  } else {
    draft.set_default("zero_stage", "0");
  }
  read_offload(draft);
  read_precision(draft);
}

const FormatReader kDeepspeedReader{"deepspeed", kSigns, read_alone};

}  // namespace mekiki
