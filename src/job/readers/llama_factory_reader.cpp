// LLaMA-Factory's YAML, JSON and command lines; and the keys of its version 1 files (model, peft_config, dist_config).
// Source: hiyouga/LLaMA-Factory src/llamafactory/hparams/*.py (keys, defaults), src/llamafactory/model/adapter.py (fp32
// copies of what is trained unless pure_bf16), src/llamafactory/hparams/parser.py (packing where the stage is pt),
// src/llamafactory/model/model_utils/attention.py, examples/ (keys in use), all @ff6d4d12.
#include "job/readers/engines.h"
#include "job/readers/formats.h"
#include "job/readers/shared_words.h"

namespace mekiki {
namespace {

using enum Treatment;

constexpr Translation kMethods[] = {{"lora", "lora"}, {"full", "full"}};
constexpr Translation kRecompute[] = {{"true", "none"}, {"false", "full"}};
constexpr Translation kPacking[] = {{"true", "packed"}, {"false", ""}};
constexpr Translation kFusedLoss[] = {{"true", "fused_linear"}, {"false", ""}};
constexpr Translation kMuon[] = {{"true", "muon"}, {"false", ""}};
constexpr Translation kStages[] = {{"sft", ""}, {"pt", ""}};

constexpr KeyRule kRules[] = {
    {"model_name_or_path", copied, "model"},
    {"model", copied, "model"},
    {"stage"},
    {"stage", translated, "method", kStages},
    {"finetuning_type", translated, "method", kMethods},
    {"peft_config.name", translated, "method", kMethods},
    {"peft_config.r", copied, "lora_rank"},
    {"peft_config.lora_dropout", copied, "lora_dropout"},
    {"peft_config.target_modules"},
    {"quant_config.quantization_bit"},
    {"quantization_bit"},
    {"quantization_type"},
    {"quantization_method"},
    {"lora_rank", copied, "lora_rank"},
    {"lora_dropout", copied, "lora_dropout"},
    {"lora_target"},
    {"additional_target", not_modelled},
    {"double_quantization", translated, "double_quantization", kYesNo},
    {"use_dora", translated, "dora", kYesNo},
    {"freeze_trainable_*", not_modelled},
    {"peft_config.freeze_trainable_*", not_modelled},
    {"use_llama_pro", not_modelled},
    {"use_galore", not_modelled},
    {"use_apollo", not_modelled},
    {"use_badam", not_modelled},
    {"use_adam_mini", not_modelled},
    {"use_muon", translated, "optimizer", kMuon},
    {"mixture_of_depths", not_modelled},
    {"shift_attn", not_modelled},
    {"use_asft_loss", not_modelled},
    {"use_kt", not_modelled},
    {"use_unsloth"},
    {"use_unsloth_gc", not_modelled},
    {"upcast_lmhead_output", not_modelled},
    {"upcast_layernorm", not_modelled},
    {"ref_model*", not_modelled},
    {"reward_model", not_modelled},
    {"cutoff_len", copied, "sequence_length"},
    {"per_device_train_batch_size", copied, "micro_batch_size"},
    {"micro_batch_size", copied, "micro_batch_size"},
    {"global_batch_size", copied, "global_batch_size"},
    {"gradient_accumulation_steps", copied, "gradient_accumulation_steps"},
    {"num_train_epochs", run_length},
    {"max_steps", run_length},
    {"packing", translated, "lengths", kPacking},
    {"neat_packing", translated, "lengths", kPacking},
    {"bf16"},
    {"fp16"},
    {"pure_bf16"},
    {"fp8"},
    {"optim", translated, "optimizer", kOptimizerNames},
    {"optim", translated, "optimizer_implementation", kOptimizerImplementations},
    {"optim_config.name", translated, "optimizer", kOptimizerNames},
    {"disable_gradient_checkpointing", translated, "activation_recompute", kRecompute},
    {"gradient_checkpointing", translated, "activation_recompute", kYesRecomputes},
    {"flash_attn", translated, "attention", kAttentionNames},
    {"enable_liger_kernel", translated, "loss", kFusedLoss},
    {"use_liger_kernel", translated, "loss", kFusedLoss},
    {"torch_compile", translated, "compile", kYesNo},
    {"tensor_model_parallel_size", above_one, "tensor_parallel"},
    {"pipeline_model_parallel_size", above_one, "pipeline_parallel"},
    {"expert_model_parallel_size", above_one, "expert_parallel"},
    {"sequence_parallel", translated, "sequence_parallel", kYesNo},
    {"cp_size", above_one, "context_parallel"},
    {"context_parallel_size", above_one, "context_parallel"},
    {"dist_config.ep_size", above_one, "expert_parallel"},
    {"dist_config.name"},
    {"dist_config.config_file"},
    {"use_distributed_optimizer", not_modelled},
    {"recompute_granularity", not_modelled},
    {"deepspeed"},
    {"ddp_bucket_cap_mb", not_modelled},
    {"galore_layerwise", not_modelled},
};

// Templates, data, export and inference, images, weights of losses, settings of optimizers that a rule above notes.
constexpr std::string_view kHarmless[] = {
    "template",
    "dataset*",
    "eval_dataset",
    "media_dir",
    "train_dataset",
    "train_on_prompt",
    "mask_history",
    "streaming",
    "buffer_size",
    "mix_strategy",
    "interleave_probs",
    "overwrite_cache",
    "preprocessing_*",
    "max_samples",
    "ignore_pad_token_for_loss",
    "val_size",
    "tool_format",
    "default_system",
    "enable_thinking",
    "tokenized_path",
    "data_shared_file_system",
    "adapter_name_or_path",
    "adapter_folder",
    "cache_dir",
    "use_fast_tokenizer",
    "split_special_tokens",
    "add_tokens",
    "add_special_tokens",
    "new_special_tokens_config",
    "init_special_tokens",
    "model_revision",
    "low_cpu_mem_usage",
    "rope_scaling",
    "use_reentrant_gc",
    "train_from_scratch",
    "infer_*",
    "sample_backend",
    "max_new_tokens",
    "temperature",
    "use_v1_kernels",
    "kernel_config*",
    "init_config*",
    "model_class",
    "print_param_status",
    "quantization_device_map",
    "quant_config.name",
    "quant_config.double*",
    "image_*",
    "video_*",
    "audio_*",
    "export_*",
    "vllm_*",
    "sglang_*",
    "kt_*",
    "lora_alpha",
    "loraplus_*",
    "use_rslora",
    "pissa_*",
    "create_new_adapter",
    "peft_config.lora_alpha",
    "peft_config.adapter_name_or_path",
    "peft_config.export_*",
    "peft_config.infer_dtype",
    "oft_*",
    "pref_*",
    "dpo_*",
    "kto_*",
    "simpo_gamma",
    "ppo_*",
    "ld_alpha",
    "galore_rank",
    "galore_target",
    "galore_scale",
    "galore_update_interval",
    "galore_proj_type",
    "apollo_*",
    "badam_*",
    "asft_alpha",
    "eaft_alpha",
    "use_dft_loss",
    "use_eaft_loss",
    "freeze_vision_tower",
    "freeze_multi_modal_projector",
    "freeze_language_model",
    "compute_accuracy",
    "disable_shuffling",
    "early_stopping_steps",
    "plot_loss",
    "include_effective_tokens_per_second",
    "predict_with_generate",
    "ray_*",
    "fp8_backend",
    "fp8_enable_fsdp_float8_all_gather",
    "batching_strategy",
    "mixed_precision",
    "cp_mode",
    "wd",
    "optim_config.*",
    "dist_config.dcp_path",
    "dist_config.ep_dispatcher",
    "moe_*",
    "bias_activation_fusion",
    "apply_rope_fusion",
    "overlap_*",
    "freeze_extra_modules",
    "crop_to_patches",
    "use_audio_in_video",
};

const Setting* bits_of(const Draft& draft) {
  const Setting* bits = draft.find("quantization_bit");
  return bits != nullptr ? bits : draft.find("quant_config.quantization_bit");
}

void read_method(Draft& draft) {
  const bool version_1 = draft.find("finetuning_type") == nullptr &&
                         (draft.find("model_class") != nullptr || draft.find("train_dataset") != nullptr);
  draft.set_default("method", version_1 ? "full" : "lora");
  if (const Setting* bits = bits_of(draft); bits != nullptr && draft.text("finetuning_type") != "full") {
    if (*bits->value == "4") {
      draft.set("method", "qlora", *bits);
      draft.set("quantization", same_word(draft.text("quantization_type"), "fp4") ? "fp4" : "nf4", *bits);
    } else if (*bits->value == "8") {
      draft.set("quantization", "int8", *bits);
    } else {
      draft.note(JobFileNoteKind::unknown_value, *bits);
    }
  }
  if (draft.text("finetuning_type") != "full" && !version_1) {
    draft.set_default("lora_rank", "8");
  }
  for (const std::string_view key : {"lora_target", "peft_config.target_modules"}) {
    if (const Setting* targets = draft.find(key)) {
      set_lora_targets(draft, *targets, "all");
    }
  }
}

void read_precision(Draft& draft) {
  constexpr Translation kFlags[] = {
      {"fp8", "fp8"}, {"pure_bf16", "bf16-pure"}, {"bf16", "bf16-mixed"}, {"fp16", "fp16-mixed"}};
  for (const Translation& flag : kFlags) {
    if (draft.is_on(flag.theirs)) {
      return draft.set("precision", flag.ours, *draft.find(flag.theirs));
    }
  }
}

Engine read_engine(Draft& draft) {
  OffloadParts offload;
  Engine engine = read_fsdp(draft, offload);
  set_offload(draft, offload);
  const std::string_view named = draft.text("dist_config.name");
  if (named == "fsdp2" || named == "fsdpturbo") {
    draft.set_default("zero_stage", "3");
    engine = Engine::fsdp;
  } else if (named == "deepspeed") {
    return read_deepspeed_key(draft, "dist_config.config_file");
  }
  const Engine by_config = read_deepspeed_key(draft, "deepspeed");
  return by_config == Engine::none ? engine : by_config;
}

void read(Draft& draft) {
  draft.apply(
      {{kRules, kHarmless}, {kFsdpRules, kHarmlessFsdpKeys}, {{}, kHarmlessTrainerKeys}, {{}, kHarmlessLauncherKeys}});
  read_method(draft);
  read_precision(draft);
  const Engine engine = read_engine(draft);
  read_launcher(draft);
  const std::string_view own = draft.is_on("use_unsloth") ? "unsloth" : "llama-factory";
  draft.set_default("framework", engine == Engine::none ? own : profile_of(engine));
  draft.set_default("sequence_length", "2048");
  draft.set_default("micro_batch_size", "8");
  draft.set_default("activation_recompute", "full");
  draft.set_default("lengths", draft.text("stage") == "pt" ? "packed" : "padded_to_longest");
}

constexpr std::string_view kSigns[] = {
    "finetuning_type", "cutoff_len", "peft_config.name", "dist_config.name", "train_dataset", "llamafactory-cli"};

}  // namespace

const FormatReader kLlamaFactoryReader{"llama-factory", kSigns, read};

}  // namespace mekiki
