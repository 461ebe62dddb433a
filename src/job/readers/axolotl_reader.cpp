// axolotl's YAML.
// Source: axolotl-ai-cloud/axolotl src/axolotl/utils/schemas/*.py (keys, defaults),
// src/axolotl/utils/config/__init__.py (resolve_dtype), src/axolotl/integrations/cut_cross_entropy/args.py, examples/
// (keys in use), all @067b021c.
#include <string>

#include "job/readers/engines.h"
#include "job/readers/formats.h"
#include "job/readers/shared_words.h"

namespace mekiki {
namespace {

using enum Treatment;

constexpr Translation kAdapters[] = {{"lora", "lora"}, {"qlora", "qlora"}};
constexpr Translation kRecompute[] = {
    {"true", "full"}, {"false", "none"}, {"offload", "full"}, {"offload_disk", "full"}};
constexpr Translation kPacking[] = {{"true", "packed"}, {"false", ""}};
constexpr Translation kLinearCrossEntropy[] = {{"true", "fused_linear"}, {"false", ""}};
constexpr Translation kChunked[] = {{"true", "chunked"}, {"false", ""}};

constexpr KeyRule kRules[] = {
    {"base_model", copied, "model"},
    {"adapter", translated, "method", kAdapters},
    {"load_in_4bit"},
    {"load_in_8bit"},
    {"lora_r", copied, "lora_rank"},
    {"lora_dropout", copied, "lora_dropout"},
    {"lora_target_linear"},
    {"lora_target_modules"},
    {"peft_use_dora", translated, "dora", kYesNo},
    {"lora_modules_to_save", not_modelled},
    {"lora_target_parameters", not_modelled},
    {"lora_*_kernel", not_modelled},
    {"peft_layers_to_transform", not_modelled},
    {"unfrozen_parameters", not_modelled},
    {"relora", not_modelled},
    {"lisa_n_layers", not_modelled},
    {"gptq", not_modelled},
    {"qat*", not_modelled},
    {"nvfp4_merge_aware", not_modelled},
    {"rl", not_modelled},
    {"reward_model", not_modelled},
    {"process_reward_model", not_modelled},
    {"diffusion*", not_modelled},
    {"sequence_len", copied, "sequence_length"},
    {"micro_batch_size", copied, "micro_batch_size"},
    {"gradient_accumulation_steps", copied, "gradient_accumulation_steps"},
    {"batch_size"},
    {"num_epochs", run_length},
    {"max_steps", run_length},
    {"sample_packing", translated, "lengths", kPacking},
    {"pad_to_sequence_len"},
    {"bf16"},
    {"bfloat16"},
    {"fp16"},
    {"float16"},
    {"fp8"},
    {"torch_dtype"},
    {"gradient_checkpointing", translated, "activation_recompute", kRecompute},
    {"activation_offloading"},
    {"layer_offloading", not_modelled},
    {"selective_checkpointing*", not_modelled},
    {"attn_implementation", translated, "attention", kAttentionNames},
    {"flash_attention"},
    {"sdp_attention"},
    {"xformers_attention"},
    {"eager_attention"},
    {"flex_attention", not_modelled},
    {"sage_attention", not_modelled},
    {"s2_attention", not_modelled},
    {"optimizer", translated, "optimizer", kOptimizerNames},
    {"optimizer", translated, "optimizer_implementation", kOptimizerImplementations},
    {"torch_compile", translated, "compile", kYesNo},
    {"liger_fused_linear_cross_entropy", translated, "loss", kLinearCrossEntropy},
    {"cut_cross_entropy", translated, "loss", kLinearCrossEntropy},
    {"chunked_cross_entropy", translated, "loss", kChunked},
    {"flash_attn_cross_entropy", not_modelled},
    {"plugins"},
    {"liger_glu_activation", not_modelled},
    {"liger_rms_norm*", not_modelled},
    {"liger_layer_norm", not_modelled},
    {"liger_rope", not_modelled},
    {"tiled_mlp*", not_modelled},
    {"quantize_moe_experts", translated, "quantize_experts", kYesNo},
    {"model_quantization_config*", not_modelled},
    {"use_onebitllms", not_modelled},
    {"flash_attn_fuse_mlp", not_modelled},
    {"flash_attn_rms_norm", not_modelled},
    {"ddp_bucket_cap_mb", not_modelled},
    {"auto_find_batch_size", not_modelled},
    {"dp_shard_size", above_one, "dp_shard"},
    {"dp_replicate_size", above_one, "dp_replicate"},
    {"tensor_parallel_size", above_one, "tensor_parallel"},
    {"context_parallel_size", above_one, "context_parallel"},
    {"sequence_parallel_degree", above_one, "context_parallel"},
    {"expert_parallel_size", above_one, "expert_parallel"},
    {"gpu_count", copied, "gpus"},
    {"gpu", copied, "gpu"},
    {"deepspeed"},
    {"device_map*", not_modelled},
    {"max_memory*", not_modelled},
};

// Data, tokenizers, prompts, kernels that compute the same in other words, services, and settings of other subcommands.
constexpr std::string_view kHarmless[] = {
    "base_model_config",
    "base_model_ignore_patterns",
    "revision_of_model",
    "cls_model_config",
    "tokenizer_*",
    "processor_*",
    "model_type",
    "type_of_model",
    "model_config*",
    "overrides_of_model_*",
    "is_*_derived_model",
    "datasets*",
    "test_datasets*",
    "pretraining_dataset*",
    "dataset_*",
    "shuffle_*",
    "skip_prepare_dataset",
    "val_set_size",
    "special_tokens*",
    "tokens*",
    "added_tokens_overrides*",
    "resize_token_embeddings_to_32x",
    "chat_template*",
    "eot_tokens",
    "default_system_message",
    "train_on_inputs",
    "strict",
    "lora_model_dir",
    "lora_alpha",
    "lora_fan_in_fan_out",
    "peft_use_rslora",
    "peft_init_lora_weights",
    "peft.loftq_config*",
    "bnb_config_kwargs*",
    "gptq_*",
    "lora_on_cpu",
    "qlora_sharded_model_loading",
    "sample_packing_*",
    "eval_sample_packing",
    "max_packed_sequence_len",
    "total_num_tokens",
    "excess_length_strategy",
    "min_sample_len",
    "curriculum_sampling",
    "streaming",
    "streaming_*",
    "pretrain_multipack_*",
    "multipack_real_batches",
    "learning_rate",
    "embedding_lr*",
    "lr_*",
    "cosine_*",
    "eta_min",
    "jagged_restart_*",
    "relora_*",
    "lisa_*",
    "early_stopping_patience",
    "loss_watchdog_*",
    "saves_per_epoch",
    "hf_use_auth_token",
    "auto_resume_from_checkpoints",
    "hub_model_id",
    "push_dataset_to_hub",
    "torchdistx_path",
    "low_cpu_mem_usage",
    "flash_optimum",
    "ddp",
    "use_tensorboard",
    "use_ray",
    "ray_*",
    "use_otel_metrics",
    "otel_*",
    "use_wandb",
    "use_mlflow",
    "mlflow_*",
    "use_comet",
    "comet_*",
    "gradio_*",
    "project_name",
    "load_best_model_at_end",
    "reinit_weights",
    "num_labels",
    "do_causal_lm_eval",
    "test_value",
    "freeze_mm_modules",
    "experimental_skip_move_to_device",
    "use_kernels",
    "experts_implementation",
    "use_scattermoe",
    "use_sonicmoe",
    "rl_beta",
    "orpo_alpha",
    "kto_*",
    "dpo_*",
    "trl*",
    "vllm*",
    "ebft*",
    "center_rewards_coefficient",
    "gc_steps",
    "gc_collect_steps",
    "generate_samples",
    "optim_args*",
    "local_rank",
    "device",
    "world_size",
    "branch",
    "provider",
    "secrets",
    "memory",
    "timeout*",
    "volumes*",
    "dockerfile_commands",
    "node_count",
    "memory_preprocess",
    "swanlab_*",
    "flex_attn_compile_kwargs*",
    "pretraining_sample_concatenation",
    "neftune_noise_alpha",
    "noisy_embedding_alpha",
    "save_only_model",
    "fp8_enable_fsdp_float8_all_gather",
    "dsv4_*",
    "use_dsv4_kernels",
    "use_glm_dsa_kernels",
    "eaft_*",
    "use_eaft",
    "llmcompressor*",
    "fused_attn_kernel",
    "gemma4_hybrid_attn_impl",
    "full_finetune",
    "heads_k_stride",
    "ring_attn_func",
    "tokenizer_use_mistral_common",
};

// 16-bit weights as loaded are trained as they are, unless DeepSpeed or FSDP keeps copies in fp32.
void read_precision(Draft& draft, Engine engine) {
  const bool sixteen = draft.is_on("bf16") || draft.is_on("bfloat16") ||
                       (draft.find("bf16") == nullptr && !draft.is_on("fp16") && !draft.is_on("float16"));
  const bool adapters = draft.find("adapter") != nullptr;
  if (draft.is_on("fp8")) {
    return draft.set("precision", "fp8", *draft.find("fp8"));
  }
  const std::string_view word = !sixteen ? (draft.is_on("fp16") || draft.is_on("float16") ? "fp16-mixed" : "fp32")
                                : adapters || engine != Engine::none ? "bf16-mixed"
                                                                     : "bf16-pure";
  for (const std::string_view key : {"bf16", "bfloat16", "fp16", "float16"}) {
    if (draft.find(key) != nullptr && (draft.is_on(key) || word == "fp32")) {
      return draft.set("precision", word, *draft.find(key));
    }
  }
  draft.set_default("precision", word);
}

void read_adapter(Draft& draft) {
  if (!draft.sets("method")) {
    return draft.set_default("method", "full");
  }
  const Setting& adapter = *draft.find("adapter");
  if (draft.is_on("load_in_4bit")) {
    draft.set("method", "qlora", adapter);
  } else if (draft.is_on("load_in_8bit")) {
    draft.set("quantization", "int8", *draft.find("load_in_8bit"));
  }
  if (draft.is_on("lora_target_linear")) {
    draft.set("lora_targets", "all-linear", *draft.find("lora_target_linear"));
  } else if (const Setting* targets = draft.find("lora_target_modules")) {
    set_lora_targets(draft, *targets, "all-linear");
  }
}

void read_attention(Draft& draft) {
  constexpr Translation kFlags[] = {{"flash_attention", "flash2"},
                                    {"xformers_attention", "flash2"},
                                    {"sdp_attention", "sdpa"},
                                    {"eager_attention", "eager"}};
  for (const Translation& flag : kFlags) {
    if (draft.is_on(flag.theirs) && !draft.sets("attention")) {
      draft.set("attention", flag.ours, *draft.find(flag.theirs));
    }
  }
}

// Its integration turns the loss on when it is loaded, without a key of its own.
void read_plugins(Draft& draft) {
  const Setting* plugins = draft.find("plugins");
  const bool cuts = plugins != nullptr && plugins->value->find("CutCrossEntropyPlugin") != std::string::npos;
  if (cuts && draft.find("cut_cross_entropy") == nullptr) {
    draft.set("loss", "fused_linear", *plugins);
  }
}

void read(Draft& draft) {
  draft.apply({{kRules, kHarmless}, {kFsdpRules, kHarmlessFsdpKeys}, {{}, kHarmlessTrainerKeys}});
  read_adapter(draft);
  OffloadParts offload;
  Engine engine = read_fsdp(draft, offload);
  if (same_word(draft.text("gradient_checkpointing"), "offload")) {
    offload.activations = draft.find("gradient_checkpointing");
  } else if (draft.is_on("activation_offloading")) {
    offload.activations = draft.find("activation_offloading");
  }
  set_offload(draft, offload);
  const Engine by_config = read_deepspeed_key(draft, "deepspeed");
  engine = by_config == Engine::none ? engine : by_config;
  draft.set_default("framework", engine == Engine::none ? "axolotl" : profile_of(engine));
  read_precision(draft, engine);
  read_attention(draft);
  read_plugins(draft);
  draft.set_default("sequence_length", "512");
  draft.set_default("micro_batch_size", "1");
  draft.set_default("gradient_accumulation_steps", "1");
  draft.set_default("activation_recompute", "none");
  if (!draft.sets("lengths")) {
    draft.set_default("lengths", draft.is_on("pad_to_sequence_len") ? "fixed" : "padded_to_longest");
  }
}

constexpr std::string_view kSigns[] = {"base_model", "sequence_len"};

}  // namespace

const FormatReader kAxolotlReader{"axolotl", kSigns, read};

}  // namespace mekiki
