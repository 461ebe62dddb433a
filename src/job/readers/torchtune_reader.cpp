// torchtune's YAML recipes configs: components by the dotted name of the function that builds them.
// Source: pytorch/torchtune torchtune/models/*/_model_builders.py (builders, their lora_ and qlora_ forms),
// recipes/configs/ (keys in use), torchtune/modules/loss/ @bd2a0fc7.
#include <algorithm>
#include <string>

#include "job/readers/engines.h"
#include "job/readers/formats.h"
#include "job/readers/shared_words.h"

namespace mekiki {
namespace {

using enum Treatment;

// A builder without lora_ or qlora_ before it, and without _base or _instruct behind it.
constexpr Translation kBuilders[] = {
    {"gemma_2b", "google/gemma-2b"},
    {"gemma_7b", "google/gemma-7b"},
    {"gemma2_2b", "google/gemma-2-2b"},
    {"gemma2_9b", "google/gemma-2-9b"},
    {"gemma2_27b", "google/gemma-2-27b"},
    {"llama2_7b", "meta-llama/Llama-2-7b-hf"},
    {"llama2_13b", "meta-llama/Llama-2-13b-hf"},
    {"llama2_70b", "meta-llama/Llama-2-70b-hf"},
    {"llama3_8b", "meta-llama/Meta-Llama-3-8B"},
    {"llama3_70b", "meta-llama/Meta-Llama-3-70B"},
    {"llama3_1_8b", "meta-llama/Llama-3.1-8B"},
    {"llama3_1_70b", "meta-llama/Llama-3.1-70B"},
    {"llama3_1_405b", "meta-llama/Llama-3.1-405B"},
    {"llama3_2_1b", "meta-llama/Llama-3.2-1B"},
    {"llama3_2_3b", "meta-llama/Llama-3.2-3B"},
    {"llama3_3_70b", "meta-llama/Llama-3.3-70B-Instruct"},
    {"llama3_2_vision_11b", "meta-llama/Llama-3.2-11B-Vision"},
    {"llama3_2_vision_90b", "meta-llama/Llama-3.2-90B-Vision"},
    {"llama4_scout_17b_16e", "meta-llama/Llama-4-Scout-17B-16E"},
    {"llama4_maverick_17b_128e", "meta-llama/Llama-4-Maverick-17B-128E"},
    {"code_llama2_7b", "codellama/CodeLlama-7b-hf"},
    {"code_llama2_13b", "codellama/CodeLlama-13b-hf"},
    {"code_llama2_70b", "codellama/CodeLlama-70b-hf"},
    {"mistral_7b", "mistralai/Mistral-7B-v0.1"},
    {"phi3_mini", "microsoft/Phi-3-mini-4k-instruct"},
    {"phi4_14b", "microsoft/phi-4"},
    {"qwen2_0_5b", "Qwen/Qwen2-0.5B"},
    {"qwen2_1_5b", "Qwen/Qwen2-1.5B"},
    {"qwen2_7b", "Qwen/Qwen2-7B"},
    {"qwen2_5_0_5b", "Qwen/Qwen2.5-0.5B"},
    {"qwen2_5_1_5b", "Qwen/Qwen2.5-1.5B"},
    {"qwen2_5_3b", "Qwen/Qwen2.5-3B"},
    {"qwen2_5_7b", "Qwen/Qwen2.5-7B"},
    {"qwen2_5_14b", "Qwen/Qwen2.5-14B"},
    {"qwen2_5_32b", "Qwen/Qwen2.5-32B"},
    {"qwen2_5_72b", "Qwen/Qwen2.5-72B"},
    {"qwen3_0_6b", "Qwen/Qwen3-0.6B"},
    {"qwen3_1_7b", "Qwen/Qwen3-1.7B"},
    {"qwen3_4b", "Qwen/Qwen3-4B"},
    {"qwen3_8b", "Qwen/Qwen3-8B"},
    {"qwen3_14b", "Qwen/Qwen3-14B"},
    {"qwen3_32b", "Qwen/Qwen3-32B"},
};

constexpr Translation kOptimizers[] = {
    {"torch.optim.AdamW", "adamw"},
    {"torch.optim.Adam", "adamw"},
    {"torch.optim.SGD", "sgd"},
    {"bitsandbytes.optim.AdamW8bit", "adamw_8bit"},
    {"bitsandbytes.optim.PagedAdamW8bit", "adamw_paged_8bit"},
    {"torchao.prototype.low_bit_optim.AdamW8bit", "adamw_8bit"},
    {"torchao.prototype.low_bit_optim.AdamW4bit", "adamw_4bit"},
    {"torchao.prototype.low_bit_optim.CPUOffloadOptimizer", ""},
};
constexpr Translation kLosses[] = {
    {"torchtune.modules.loss.CEWithChunkedOutputLoss", "chunked"},
    {"torchtune.modules.loss.LinearCrossEntropyLoss", "chunked"},
    {"torch.nn.CrossEntropyLoss", "eager"},
};
constexpr Translation kDtypes[] = {{"bf16", "bf16-pure"}, {"fp32", "fp32"}};
constexpr Translation kPacked[] = {{"true", "packed"}, {"false", "padded_to_longest"}};
constexpr Translation kInBackward[] = {{"true", "in_backward"}, {"false", ""}};
constexpr Translation kFused[] = {{"true", "fused"}, {"false", ""}};
constexpr Translation kOffload[] = {{"true", "optimizer_and_weights"}, {"false", ""}};

constexpr KeyRule kRules[] = {
    {"model._component_"},
    {"model.lora_rank", copied, "lora_rank"},
    {"model.lora_dropout", copied, "lora_dropout"},
    {"model.lora_attn_modules"},
    {"model.apply_lora_to_mlp"},
    {"model.apply_lora_to_output"},
    {"model.quantize_base"},
    {"model.use_dora", translated, "dora", kYesNo},
    {"model.*_trainable", not_modelled},
    {"model.embed_dim", not_modelled},
    {"model.num_*", not_modelled},
    {"model.intermediate_dim", not_modelled},
    {"model.vocab_size", not_modelled},
    {"tokenizer.max_seq_len", copied, "sequence_length"},
    {"dataset.packed", translated, "lengths", kPacked},
    {"dataloader.packed", translated, "lengths", kPacked},
    {"batch_size", copied, "micro_batch_size"},
    {"gradient_accumulation_steps", copied, "gradient_accumulation_steps"},
    {"epochs", run_length},
    {"max_steps_per_epoch", run_length},
    {"num_steps", run_length},
    {"dtype", translated, "precision", kDtypes},
    {"optimizer._component_", translated, "optimizer", kOptimizers},
    {"optimizer.fused", translated, "optimizer_implementation", kFused},
    {"optimizer_in_bwd", translated, "optimizer_implementation", kInBackward},
    {"loss._component_", translated, "loss", kLosses},
    {"compile", translated, "compile", kYesNo},
    {"enable_activation_checkpointing", translated, "activation_recompute", kYesRecomputes},
    {"enable_activation_offloading"},
    {"ac_mode", not_modelled},
    {"fsdp_cpu_offload", translated, "offload", kOffload},
    {"fsdp.cpu_offload", translated, "offload", kOffload},
    {"fsdp_reshard_after_forward", translated, "reshard_after_forward", kYesNo},
    {"custom_sharded_layers", not_modelled},
    {"memory_efficient_fsdp_wrap", not_modelled},
    {"tensor_parallel_dim", above_one, "tensor_parallel"},
    {"context_parallel_dim", above_one, "context_parallel"},
    {"data_parallel_replicate_dim", above_one, "dp_replicate"},
    {"data_parallel_shard_dim", above_one, "dp_shard"},
    {"device"},
    {"teacher_model._component_", not_modelled},
    {"policy_model._component_", not_modelled},
    {"reward_and_value_model._component_", not_modelled},
    {"ref_checkpointer._component_", not_modelled},
    {"ref_policy_checkpointer._component_", not_modelled},
    {"grpo_samples", not_modelled},
    {"forward_batch_size", not_modelled},
    {"ppo_batch_size", not_modelled},
    {"quantizer._component_", not_modelled},
    {"inference._component_", not_modelled},
    {"orchestration.*", not_modelled},
    {"enable_kv_cache", not_modelled},
};

// Checkpoints, data, learning rates, logs, profiles, prompts, and parts of other recipes' components.
constexpr std::string_view kHarmless[] = {
    "output_dir",
    "base_model_path",
    "name",
    "checkpointer.*",
    "resume_from_checkpoint",
    "save_*",
    "tokenizer.*",
    "dataset*",
    "dataloader.*",
    "seed",
    "shuffle",
    "collate_fn",
    "batch_size_val",
    "run_val_every_n_steps",
    "model.lora_alpha",
    "model.attn_dropout",
    "model.max_seq_len",
    "model.norm_eps",
    "model.image_size",
    "model.lora_decoder*",
    "optimizer.*",
    "lr_scheduler*",
    "loss.*",
    "clip_grad_norm",
    "metric_logger.*",
    "log_*",
    "profiler.*",
    "low_cpu_ram",
    "ac_option",
    "tensor_parallel_plan*",
    "use_distributed_state_dict",
    "kd_*",
    "teacher_model.*",
    "teacher_checkpointer.*",
    "policy_model.*",
    "reward_*",
    "ref_*",
    "value_checkpointer.*",
    "ppo_epochs",
    "kl_coeff",
    "gamma",
    "lmbda",
    "temperature",
    "top_k",
    "max_new_tokens",
    "max_generated_tokens",
    "min_response_length",
    "penalise_no_eos",
    "stop_token_ids",
    "whiten_rewards",
    "limit",
    "tasks",
    "prompt*",
    "quantizer.*",
    "inference.*",
    "training.*",
    "postprocessing.*",
    "debug_*",
    "apply_chat_template",
    "use_flex",
    "max_seq_length",
    "quantizer",
    "chat_format",
    "instruct_template",
};

bool take_prefix(std::string_view& text, std::string_view prefix) {
  const bool has = text.starts_with(prefix);
  text.remove_prefix(has ? prefix.size() : 0);
  return has;
}

void take_suffix(std::string_view& text, std::string_view suffix) {
  text.remove_suffix(text.ends_with(suffix) ? suffix.size() : 0);
}

void read_model(Draft& draft) {
  const Setting* component = draft.find("model._component_");
  if (component == nullptr) {
    return;
  }
  std::string_view builder = *component->value;
  builder.remove_prefix(builder.rfind('.') == std::string_view::npos ? 0 : builder.rfind('.') + 1);
  const bool quantized = take_prefix(builder, "qlora_");
  const bool adapters = take_prefix(builder, "lora_") || quantized;
  const std::string_view whole = builder;
  take_suffix(builder, "_base");
  take_suffix(builder, "_instruct");
  const auto* found = std::find_if(
      std::begin(kBuilders), std::end(kBuilders), [&](const Translation& known) { return known.theirs == builder; });
  // A builder that no published model stands for is looked up, and refused, under its own name.
  draft.set("model", found == std::end(kBuilders) ? whole : found->ours, *component);
  const bool by_flag = draft.is_on("model.quantize_base");
  draft.set("method", quantized || (adapters && by_flag) ? "qlora" : adapters ? "lora" : "full", *component);
}

void read_targets(Draft& draft) {
  const Setting* modules = draft.find("model.lora_attn_modules");
  if (modules == nullptr) {
    return;
  }
  std::string targets = *modules->value;
  if (const std::size_t output = targets.find("output_proj"); output != std::string::npos) {
    targets.replace(output, std::string_view("output_proj").size(), "o_proj");
  }
  targets += draft.is_on("model.apply_lora_to_mlp") ? ",gate_proj,up_proj,down_proj" : "";
  targets += draft.is_on("model.apply_lora_to_output") ? ",lm_head" : "";
  draft.set("lora_targets", targets, *modules);
}

void read(Draft& draft) {
  draft.apply({{kRules, kHarmless}});
  read_model(draft);
  read_targets(draft);
  if (draft.is_on("enable_activation_offloading")) {
    OffloadParts offload;
    offload.activations = draft.find("enable_activation_offloading");
    offload.weights = draft.is_on("fsdp_cpu_offload") ? draft.find("fsdp_cpu_offload") : nullptr;
    set_offload(draft, offload);
  }
  if (const Setting* device = draft.find("device"); device != nullptr && !device->value->starts_with("cuda")) {
    draft.note(JobFileNoteKind::unknown_value, *device);
  }
  draft.set_default("framework", "torchtune");
  draft.set_default("activation_recompute", "none");
}

constexpr std::string_view kSigns[] = {
    "model._component_", "tokenizer._component_", "checkpointer._component_", "optimizer._component_"};

}  // namespace

const FormatReader kTorchtuneReader{"torchtune", kSigns, read};

}  // namespace mekiki
