// ms-swift's command lines (`swift sft`, `swift pt`), alone or in a script.
// Source: modelscope/ms-swift swift/arguments/ (keys, defaults), swift/config/ (the DeepSpeed configs that a name such
// as zero2 stands for), examples/train/ (keys in use), all @3602360a.
#include "job/readers/engines.h"
#include "job/readers/formats.h"
#include "job/readers/shared_words.h"

namespace mekiki {
namespace {

using enum Treatment;

constexpr Translation kTuners[] = {{"lora", "lora"}, {"full", "full"}};
constexpr Translation kPacking[] = {{"true", "packed"}, {"false", ""}};
constexpr Translation kFusedLoss[] = {{"true", "fused_linear"}, {"false", ""}};
constexpr Translation kTasks[] = {{"causal_lm", ""}};

constexpr KeyRule kRules[] = {
    {"model", copied, "model"},
    {"model_id_or_path", copied, "model"},
    {"tuner_type", translated, "method", kTuners},
    {"train_type", translated, "method", kTuners},
    {"sft_type", translated, "method", kTuners},
    {"task_type", translated, "", kTasks},
    {"rlhf_type", not_modelled},
    {"quant_bits"},
    {"quantization_bit"},
    {"quant_method"},
    {"bnb_4bit_quant_type"},
    {"lora_rank", copied, "lora_rank"},
    {"lora_dropout", copied, "lora_dropout"},
    {"target_modules"},
    {"target_regex", not_modelled},
    {"target_parameters", not_modelled},
    {"modules_to_save", not_modelled},
    {"use_dora", translated, "dora", kYesNo},
    {"teacher_model", not_modelled},
    {"use_vllm", not_modelled},
    {"use_galore", not_modelled},
    {"freeze_parameters*", not_modelled},
    {"trainable_parameters*", not_modelled},
    {"freeze_llm", not_modelled},
    {"lisa_activated_layers", not_modelled},
    {"per_device_train_batch_size", copied, "micro_batch_size"},
    {"gradient_accumulation_steps", copied, "gradient_accumulation_steps"},
    {"max_length", copied, "sequence_length"},
    {"num_train_epochs", run_length},
    {"max_steps", run_length},
    {"torch_dtype"},
    {"bf16"},
    {"fp16"},
    {"packing", translated, "lengths", kPacking},
    {"padding_free", translated, "lengths", kPacking},
    {"gradient_checkpointing", translated, "activation_recompute", kYesRecomputes},
    {"attn_impl", translated, "attention", kAttentionNames},
    {"optim", translated, "optimizer", kOptimizerNames},
    {"optim", translated, "optimizer_implementation", kOptimizerImplementations},
    {"optimizer", not_modelled},
    {"use_liger_kernel", translated, "loss", kFusedLoss},
    {"torch_compile", translated, "compile", kYesNo},
    {"sequence_parallel_size", above_one, "context_parallel"},
    {"deepspeed"},
    {"config_file"},
    {"deepspeed_autotp_size", above_one, "tensor_parallel"},
    {"zero_hpz_partition_size", not_modelled},
    {"auto_find_batch_size", not_modelled},
};

// Data, templates, adapters to start from, images, evaluation by generation.
constexpr std::string_view kHarmless[] = {
    "model_type",
    "model_revision",
    "model_name",
    "model_author",
    "model_kwargs",
    "dataset*",
    "val_dataset*",
    "cached_*",
    "split_dataset_ratio",
    "load_from_cache_file",
    "data_seed",
    "streaming",
    "stream",
    "lazy_tokenize",
    "load_args",
    "load_data_args",
    "columns",
    "strict",
    "interleave_prob",
    "shuffle_buffer_size",
    "template",
    "system",
    "agent_template",
    "use_chat_template",
    "truncation_strategy",
    "loss_scale",
    "loss_type",
    "max_pixels",
    "norm_bbox",
    "response_prefix",
    "enable_thinking",
    "add_non_thinking_prefix",
    "new_special_tokens_config",
    "adapters",
    "tuner_backend",
    "use_hf",
    "hub_token",
    "lora_alpha",
    "lora_bias",
    "lora_dtype",
    "lorap_lr_ratio",
    "use_rslora",
    "init_weights",
    "bnb_4bit_*",
    "freeze_vit",
    "freeze_aligner",
    "vit_lr",
    "aligner_lr",
    "external_plugins",
    "custom_*",
    "num_labels",
    "problem_type",
    "rope_scaling",
    "packing_*",
    "max_new_tokens",
    "temperature",
    "top_*",
    "merge_lora",
    "infer_backend",
    "metric",
    "create_checkpoint_symlink",
    "add_version",
    "check_model",
    "router_aux_loss_coef",
    "use_logits_to_keep",
    "acc_strategy",
    "galore_*",
    "max_batch_size",
    "ignore_args_error",
    "attention_backend",
    "vllm_*",
    "sleep_level",
    "num_generations",
    "max_completion_length",
    "reward_*",
    "teacher_*",
    "lmbda",
    "lora_ga_*",
    "served_model_name",
    "predict_with_generate",
    "async_generate",
    "offload_optimizer",
    "offload_model",
    "beta",
    "rpo_alpha",
};

void read_method(Draft& draft) {
  draft.set_default("method", "lora");
  const Setting* bits = draft.find("quant_bits");
  bits = bits == nullptr ? draft.find("quantization_bit") : bits;
  const bool quantizes_on_load = same_word(draft.text("quant_method"), "bnb") || draft.find("quant_method") == nullptr;
  if (bits != nullptr && !quantizes_on_load) {
    draft.note(JobFileNoteKind::not_modelled, *bits);
  } else if (bits != nullptr && *bits->value == "4") {
    draft.set("method", "qlora", *bits);
    draft.set("quantization", same_word(draft.text("bnb_4bit_quant_type"), "fp4") ? "fp4" : "nf4", *bits);
  } else if (bits != nullptr && *bits->value == "8") {
    draft.set("quantization", "int8", *bits);
  } else if (bits != nullptr && *bits->value != "0") {
    draft.note(JobFileNoteKind::unknown_value, *bits);
  }
  draft.set_default("lora_rank", "8");
  draft.set_default("lora_dropout", "0.05");
  if (const Setting* targets = draft.find("target_modules")) {
    set_lora_targets(draft, *targets, "all-linear");
  }
}

// DeepSpeed under a name: the configs that the package brings.
Engine read_engine(Draft& draft) {
  struct Named {
    std::string_view name;
    std::string_view stage;
    std::string_view offload;
  };
  constexpr Named kNamed[] = {{"zero0", "0", ""},
                              {"zero1", "1", ""},
                              {"zero2", "2", ""},
                              {"zero3", "3", ""},
                              {"zero2_offload", "2", "optimizer"},
                              {"zero3_offload", "3", "optimizer_and_weights"}};
  const Setting* said = draft.find("deepspeed");
  for (const Named& named : kNamed) {
    if (said != nullptr && *said->value == named.name) {
      draft.set("zero_stage", named.stage, *said);
      if (!named.offload.empty()) {
        draft.set("offload", named.offload, *said);
      }
      return Engine::deepspeed;
    }
  }
  OffloadParts offload;
  Engine engine = read_fsdp(draft, offload);
  set_offload(draft, offload);
  const Engine by_launch = read_accelerate_launch(draft);
  engine = by_launch == Engine::none ? engine : by_launch;
  const Engine by_config = read_deepspeed_key(draft, "deepspeed");
  return by_config == Engine::none ? engine : by_config;
}

// Weights are loaded in torch_dtype and trained so; DeepSpeed and FSDP keep fp32 copies.
void read_precision(Draft& draft, Engine engine) {
  const Setting* dtype = draft.find("torch_dtype");
  const bool full = draft.text("tuner_type") == "full" || draft.text("train_type") == "full";
  if (dtype != nullptr && same_word(*dtype->value, "bfloat16")) {
    draft.set("precision", full && engine == Engine::none ? "bf16-pure" : "bf16-mixed", *dtype);
  } else if (dtype != nullptr && same_word(*dtype->value, "float16")) {
    draft.set("precision", "fp16-mixed", *dtype);
  } else if (dtype != nullptr && same_word(*dtype->value, "float32")) {
    draft.set("precision", "fp32", *dtype);
  } else if (dtype != nullptr) {
    draft.note(JobFileNoteKind::unknown_value, *dtype);
  }
}

void read(Draft& draft) {
  draft.apply(
      {{kRules, kHarmless}, {kFsdpRules, kHarmlessFsdpKeys}, {{}, kHarmlessTrainerKeys}, {{}, kHarmlessLauncherKeys}});
  read_method(draft);
  const Engine engine = read_engine(draft);
  read_precision(draft, engine);
  read_launcher(draft);
  draft.set_default("framework", engine == Engine::none ? "ms-swift" : profile_of(engine));
  draft.set_default("micro_batch_size", "1");
  draft.set_default("activation_recompute", "full");
  draft.set_default("lengths", "padded_to_longest");
}

constexpr std::string_view kSigns[] = {"swift", "tuner_type", "train_type", "sft_type", "rlhf_type"};

}  // namespace

const FormatReader kMsSwiftReader{"ms-swift", kSigns, read};

}  // namespace mekiki
