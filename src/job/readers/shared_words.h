// What several tools have in common because they all sit on the same trainer: names of optimizers and attention
// kernels, and keys that matter neither for memory nor for time.
#pragma once

#include <string_view>

#include "job/readers/draft.h"

namespace mekiki {

/// Source: huggingface/transformers src/transformers/training_args.py @00349ae8 (OptimizerNames);
/// axolotl-ai-cloud/axolotl src/axolotl/utils/schemas/enums.py @067b021c (CustomSupportedOptimizers: ao_adamw_4bit,
/// ao_adamw_8bit, muon).
inline constexpr Translation kOptimizerNames[] = {
    {"adamw_torch", "adamw"},
    {"adamw_torch_fused", "adamw"},
    {"adamw_apex_fused", "adamw"},
    {"adamw_hf", "adamw"},
    {"adamw", "adamw"},
    {"adam", "adamw"},
    {"adamw_torch_8bit", "adamw_8bit"},
    {"adamw_bnb_8bit", "adamw_8bit"},
    {"adamw_8bit", "adamw_8bit"},
    {"ao_adamw_8bit", "adamw_8bit"},
    {"adamw_torch_4bit", "adamw_4bit"},
    {"ao_adamw_4bit", "adamw_4bit"},
    {"paged_adamw_8bit", "adamw_paged_8bit"},
    {"adafactor", "adafactor"},
    {"lion_32bit", "lion"},
    {"lion", "lion"},
    {"sgd", "sgd"},
    {"muon", "muon"},
};

/// Those of them that name an implementation too; the others leave it to the profile.
inline constexpr Translation kOptimizerImplementations[] = {
    {"adamw_torch_fused", "fused"},
    {"adamw_apex_fused", "fused"},
};

/// Source: axolotl-ai-cloud/axolotl src/axolotl/utils/schemas/enums.py @067b021c (CANONICAL_ATTN_IMPLS);
/// hiyouga/LLaMA-Factory src/llamafactory/model/model_utils/attention.py @ff6d4d12; modelscope/ms-swift
/// swift/arguments/base_args/model_args.py @3602360a (flash_attn is flash_attention_2). xformers keeps no scores
/// either and counts as flash2; flex_attention is left out: its kernel is not described here.
inline constexpr Translation kAttentionNames[] = {
    {"eager", "eager"},
    {"disabled", "eager"},
    {"sdpa", "sdpa"},
    {"flash_attention_2", "flash2"},
    {"flash_attn", "flash2"},
    {"flash_attn_2", "flash2"},
    {"fa2", "flash2"},
    {"kernels-community/flash-attn2", "flash2"},
    {"kernels-community/flash-attn", "flash2"},
    {"xformers", "flash2"},
    {"flash_attention_3", "flash3"},
    {"flash_attn_3", "flash3"},
    {"fa3", "flash3"},
    {"kernels-community/flash-attn3", "flash3"},
    {"kernels-community/vllm-flash-attn3", "flash3"},
    {"auto", ""},
};

inline constexpr Translation kYesRecomputes[] = {{"true", "full"}, {"false", "none"}};
inline constexpr Translation kYesNo[] = {{"true", "yes"}, {"false", "no"}};

/// Arguments of the trainer that change neither memory nor time of a training step: learning rates, logging, saving,
/// evaluation, seeds, data loading.
/// Source: huggingface/transformers src/transformers/training_args.py @00349ae8; names of older releases from memory,
/// unverified (evaluation_strategy, warmup_ratio, overwrite_output_dir, group_by_length, logging_dir, report_to).
inline constexpr std::string_view kHarmlessTrainerKeys[] = {
    "output_dir",
    "overwrite_output_dir",
    "do_train",
    "do_eval",
    "do_predict",
    "learning_rate",
    "lr_scheduler*",
    "warmup_*",
    "weight_decay",
    "adam_beta*",
    "adam_epsilon*",
    "adam_eps",
    "max_grad_norm",
    "label_smoothing_factor",
    "average_tokens_across_devices",
    "tf32",
    "bf16_full_eval",
    "fp16_full_eval",
    "gradient_checkpointing_kwargs*",
    "torch_compile_backend",
    "torch_compile_mode",
    "torch_empty_cache_steps",
    "logging_*",
    "log_*",
    "disable_tqdm",
    "report_to",
    "run_name",
    "project",
    "trackio_*",
    "wandb_*",
    "swanlab_*",
    "use_swanlab",
    "eval_*",
    "evals_per_*",
    "evaluation_strategy",
    "per_device_eval_batch_size",
    "prediction_loss_only",
    "include_for_metrics",
    "batch_eval_metrics",
    "save_*",
    "push_to_hub",
    "hub_*",
    "load_best_model_at_end",
    "metric_for_best_model",
    "greater_is_better",
    "ignore_data_skip",
    "full_determinism",
    "seed",
    "data_seed",
    "dataloader_*",
    "accelerator_config*",
    "remove_unused_columns",
    "label_names",
    "train_sampling_strategy",
    "length_column_name",
    "group_by_length",
    "ddp_find_unused_parameters",
    "ddp_broadcast_buffers",
    "ddp_static_graph",
    "ddp_backend",
    "ddp_timeout",
    "debug",
    "skip_memory_metrics",
    "resume_from_checkpoint",
    "local_rank",
    "trust_remote_code",
    "include_num_input_tokens_seen",
    "include_tokens_per_second",
    "use_cache",
    "neftune_noise_alpha",
};

}  // namespace mekiki
