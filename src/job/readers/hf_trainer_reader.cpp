// Arguments of the Hugging Face trainer: JSON or YAML of TrainingArguments, or a command line or script that starts a
// training script with them; with the arguments that the example scripts and trl's scripts add.
// Source: huggingface/transformers src/transformers/training_args.py @00349ae8 (keys, defaults; older names from
// memory, unverified); of trl's and the example scripts' own arguments (model_name_or_path, torch_dtype, block_size,
// max_seq_length, max_length, use_peft, lora_*, load_in_*bit, packing, attn_implementation) from memory, unverified.
#include <algorithm>

#include "job/readers/engines.h"
#include "job/readers/formats.h"
#include "job/readers/shared_words.h"

namespace mekiki {
namespace {

using enum Treatment;

constexpr Translation kPacking[] = {{"true", "packed"}, {"false", ""}};
constexpr Translation kFusedLoss[] = {{"true", "fused_linear"}, {"false", ""}};
constexpr Translation kFlash[] = {{"true", "flash2"}, {"false", ""}};
constexpr Translation kAdapters[] = {{"true", "lora"}, {"false", ""}};

constexpr KeyRule kRules[] = {
    {"model_name_or_path", copied, "model"},
    {"model_id", copied, "model"},
    {"use_peft", translated, "method", kAdapters},
    {"use_lora", translated, "method", kAdapters},
    {"q_lora"},
    {"load_in_4bit"},
    {"load_in_8bit"},
    {"bnb_4bit_quant_type"},
    {"lora_r", copied, "lora_rank"},
    {"lora_rank", copied, "lora_rank"},
    {"lora_dropout", copied, "lora_dropout"},
    {"lora_target_modules"},
    {"lora_modules_to_save", not_modelled},
    {"use_dora", translated, "dora", kYesNo},
    {"per_device_train_batch_size", copied, "micro_batch_size"},
    {"per_gpu_train_batch_size", copied, "micro_batch_size"},
    {"gradient_accumulation_steps", copied, "gradient_accumulation_steps"},
    {"auto_find_batch_size", not_modelled},
    {"block_size", copied, "sequence_length"},
    {"max_seq_length", copied, "sequence_length"},
    {"max_length", copied, "sequence_length"},
    {"model_max_length", copied, "sequence_length"},
    {"packing", translated, "lengths", kPacking},
    {"padding_free", translated, "lengths", kPacking},
    {"num_train_epochs", run_length},
    {"max_steps", run_length},
    {"bf16"},
    {"fp16"},
    {"torch_dtype"},
    {"dtype"},
    {"optim", translated, "optimizer", kOptimizerNames},
    {"optim", translated, "optimizer_implementation", kOptimizerImplementations},
    {"optim_target_modules", not_modelled},
    {"adafactor"},
    {"gradient_checkpointing", translated, "activation_recompute", kYesRecomputes},
    {"activation_checkpointing", translated, "activation_recompute", kYesRecomputes},
    {"attn_implementation", translated, "attention", kAttentionNames},
    {"use_flash_attention_2", translated, "attention", kFlash},
    {"flash_attn", translated, "attention", kFlash},
    {"torch_compile", translated, "compile", kYesNo},
    {"use_liger_kernel", translated, "loss", kFusedLoss},
    {"use_liger", translated, "loss", kFusedLoss},
    {"activation_offloading"},
    {"deepspeed"},
    {"deepspeed_config"},
    {"config_file"},
    {"parallelism_config*", not_modelled},
    {"tensor_parallel_size", above_one, "tensor_parallel"},
    {"context_parallel_size", above_one, "context_parallel"},
    {"ddp_bucket_cap_mb", not_modelled},
    {"use_cpu", not_modelled},
    {"no_cuda", not_modelled},
    {"beta", not_modelled},  // only trainers of preferences have it
};

// Data, tokenizers, caches of the example scripts.
constexpr std::string_view kHarmless[] = {
    "max_prompt_length",
    "loss_type",
    "packing_strategy",
    "model_revision",
    "config_name",
    "tokenizer_*",
    "cache_dir",
    "use_fast_tokenizer",
    "use_auth_token",
    "token",
    "dataset*",
    "train_file",
    "validation_*",
    "test_file",
    "max_train_samples",
    "max_eval_samples",
    "streaming",
    "preprocessing_*",
    "overwrite_cache",
    "keep_linebreaks",
    "low_cpu_mem_usage",
    "lora_alpha",
    "use_rslora",
    "lora_task_type",
    "bnb_4bit_quant_type",
    "use_bnb_nested_quant",
    "optim_args",
    "liger_kernel_config*",
    "chat_template*",
    "assistant_only_loss",
    "completion_only_loss",
    "eos_token",
    "data_path",
    "lazy_preprocess",
    "restore_callback_states_from_checkpoint",
    "enable_jit_checkpoint",
    "logging_dir",
    "max_grad_norm",
    "generation_max_length",
    "predict_with_generate",
    "task_name",
    "bits",
    "no_eval",
    "evaluation_strategy",
    "mixed_precision",
    "dataset_text_field",
    "dataset_num_proc",
    "push_to_hub",
    "hub_model_id",
    "verbose",
};

// Ranks without a word that adapters are used: a script of that name uses them, others may leave them idle.
void read_idle_rank(Draft& draft) {
  const Setting* rank = draft.find("lora_r");
  rank = rank == nullptr ? draft.find("lora_rank") : rank;
  if (rank == nullptr || draft.sets("method")) {
    return;
  }
  const auto& settings = draft.file().settings;
  const bool by_name = std::any_of(settings.begin(), settings.end(), [](const Setting& setting) {
    return setting.key == kWordKey && setting.value->find("lora") != std::string::npos;
  });
  if (by_name) {
    draft.set("method", draft.is_on("q_lora") ? "qlora" : "lora", *rank);
  } else {
    draft.note(JobFileNoteKind::unknown_value, *rank);
  }
}

void read_method(Draft& draft) {
  read_idle_rank(draft);
  draft.set_default("method", "full");
  if (draft.is_on("load_in_4bit")) {
    draft.set("method", "qlora", *draft.find("load_in_4bit"));
    draft.set("quantization",
              same_word(draft.text("bnb_4bit_quant_type"), "fp4") ? "fp4" : "nf4",
              *draft.find("load_in_4bit"));
  } else if (draft.is_on("load_in_8bit")) {
    draft.set("method", "lora", *draft.find("load_in_8bit"));
    draft.set("quantization", "int8", *draft.find("load_in_8bit"));
  }
  if (const Setting* targets = draft.find("lora_target_modules")) {
    set_lora_targets(draft, *targets, "all-linear");
  }
}

// Weights are trained in the dtype in which they are loaded; autocast alone leaves them in fp32.
void read_precision(Draft& draft) {
  const Setting* dtype = draft.find("torch_dtype");
  dtype = dtype == nullptr ? draft.find("dtype") : dtype;
  const bool adapters =
      draft.is_on("use_peft") || draft.is_on("use_lora") || draft.is_on("load_in_4bit") || draft.is_on("load_in_8bit");
  if (dtype != nullptr && (same_word(*dtype->value, "bfloat16") || same_word(*dtype->value, "bf16"))) {
    return draft.set("precision", adapters ? "bf16-mixed" : "bf16-pure", *dtype);
  }
  if (dtype != nullptr && !same_word(*dtype->value, "float32")) {
    draft.note(JobFileNoteKind::unknown_value, *dtype);
  }
  constexpr Translation kFlags[] = {{"bf16", "bf16-mixed"}, {"fp16", "fp16-mixed"}};
  for (const Translation& flag : kFlags) {
    if (draft.is_on(flag.theirs)) {
      return draft.set("precision", flag.ours, *draft.find(flag.theirs));
    }
  }
  if (draft.find("mixed_precision") == nullptr && draft.find("config_file") == nullptr) {
    draft.set_default("precision", "fp32");
  }
}

Engine read_engine(Draft& draft) {
  OffloadParts offload;
  Engine engine = read_fsdp(draft, offload);
  offload.activations = draft.is_on("activation_offloading") ? draft.find("activation_offloading") : nullptr;
  set_offload(draft, offload);
  const Engine by_launch = read_accelerate_launch(draft);
  engine = by_launch == Engine::none ? engine : by_launch;
  // Scripts with an engine of their own say `--deepspeed --deepspeed_config FILE`.
  const bool is_switch = same_word(draft.text("deepspeed"), "true");
  const Engine by_config = read_deepspeed_key(draft, is_switch ? "deepspeed_config" : "deepspeed");
  return by_config == Engine::none ? engine : by_config;
}

void read(Draft& draft) {
  draft.apply(
      {{kRules, kHarmless}, {kFsdpRules, kHarmlessFsdpKeys}, {{}, kHarmlessTrainerKeys}, {{}, kHarmlessLauncherKeys}});
  read_method(draft);
  const Engine engine = read_engine(draft);
  read_precision(draft);
  read_launcher(draft);
  if (draft.is_on("adafactor")) {
    draft.set("optimizer", "adafactor", *draft.find("adafactor"));
  }
  draft.set_default("framework", engine == Engine::none ? "hf-trainer" : profile_of(engine));
  draft.set_default("micro_batch_size", "8");
  draft.set_default("activation_recompute", "none");
}

constexpr std::string_view kSigns[] = {
    "per_device_train_batch_size", "gradient_checkpointing_kwargs", "num_train_epochs", "lr_scheduler_type"};

}  // namespace

const FormatReader kHfTrainerReader{"hf-trainer", kSigns, read};

}  // namespace mekiki
