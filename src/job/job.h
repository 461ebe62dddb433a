// Job: what a user wants trained, and how. Every field is a key of the job file and a flag of the command line. Values
// that the user did not give are unset here and filled by `with_defaults` (defaults.h), which also says which ones it
// filled.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/date.h"
#include "base/dtype.h"
#include "base/enum_names.h"
#include "base/quantity.h"
#include "job/allocator_settings.h"
#include "job/length_quantiles.h"

namespace mekiki {

enum class Method : std::uint8_t { pretraining, continued_pretraining, full, lora, qlora, prompt, prefix };
template <>
struct EnumNames<Method> {
  static constexpr std::array<std::string_view, 7> value = {
      "pretraining", "continued_pretraining", "full", "lora", "qlora", "prompt", "prefix"};
};

/// Only adapters or prompts have gradients and optimizer states; the base model is frozen.
constexpr bool trains_adapters_only(Method method) {
  return method == Method::lora || method == Method::qlora || method == Method::prompt || method == Method::prefix;
}
constexpr bool uses_lora(Method method) {
  return method == Method::lora || method == Method::qlora;
}

enum class Precision : std::uint8_t { fp32, fp16_mixed, bf16_mixed, bf16_pure, fp8, mxfp8, nvfp4 };
template <>
struct EnumNames<Precision> {
  static constexpr std::array<std::string_view, 7> value = {
      "fp32", "fp16-mixed", "bf16-mixed", "bf16-pure", "fp8", "mxfp8", "nvfp4"};
};

enum class Optimizer : std::uint8_t {
  adamw,
  adamw_8bit,
  adamw_4bit,
  adamw_paged_8bit,
  adafactor,
  lion,
  sgd,
  muon,
  galore,
  galore_8bit,
  apollo,
  badam,
  lisa,
  lomo,
  none
};
template <>
struct EnumNames<Optimizer> {
  static constexpr std::array<std::string_view, 15> value = {"adamw",
                                                             "adamw_8bit",
                                                             "adamw_4bit",
                                                             "adamw_paged_8bit",
                                                             "adafactor",
                                                             "lion",
                                                             "sgd",
                                                             "muon",
                                                             "galore",
                                                             "galore_8bit",
                                                             "apollo",
                                                             "badam",
                                                             "lisa",
                                                             "lomo",
                                                             "none"};
};

/// What of the activations is kept for backward; `selective` is the framework's own policy.
enum class ActivationRecompute : std::uint8_t { none, selective, full, every_k };
template <>
struct EnumNames<ActivationRecompute> {
  static constexpr std::array<std::string_view, 4> value = {"none", "selective", "full", "every_k"};
};

enum class AttentionKernel : std::uint8_t { eager, sdpa, flash1, flash2, flash3, cudnn };
template <>
struct EnumNames<AttentionKernel> {
  static constexpr std::array<std::string_view, 6> value = {"eager", "sdpa", "flash1", "flash2", "flash3", "cudnn"};
};

enum class Quantization : std::uint8_t { none, nf4, fp4, int8, gptq_int4 };
template <>
struct EnumNames<Quantization> {
  static constexpr std::array<std::string_view, 5> value = {"none", "nf4", "fp4", "int8", "gptq-int4"};
};

/// What lives in host memory and is copied to the device when used. With the weights go gradients and states.
enum class Offload : std::uint8_t { none, optimizer, optimizer_and_weights, activations, everything };
template <>
struct EnumNames<Offload> {
  static constexpr std::array<std::string_view, 5> value = {
      "none", "optimizer", "optimizer_and_weights", "activations", "everything"};
};

constexpr bool offloads_weights(Offload offload) {
  return offload == Offload::optimizer_and_weights || offload == Offload::everything;
}
constexpr bool offloads_optimizer(Offload offload) {
  return offload == Offload::optimizer || offloads_weights(offload);
}
constexpr bool offloads_activations(Offload offload) {
  return offload == Offload::activations || offload == Offload::everything;
}

/// Where offloaded weights, gradients and states live; activations go to host memory whatever is said here.
enum class OffloadTarget : std::uint8_t { host, nvme };
template <>
struct EnumNames<OffloadTarget> {
  static constexpr std::array<std::string_view, 2> value = {"host", "nvme"};
};

/// Order of forward and backward over the stages of a pipeline; with virtual stages `1f1b` is the interleaved order.
/// Sources: arXiv 1811.06965 (gpipe), arXiv 2104.04473 section 2.2 (1f1b), arXiv 2401.10241 (zero_bubble: ZB-H1 of
/// section 2.1; zero_bubble_v: ZB-V of its successor arXiv 2405.15362, two chunks a stage in V shape).
enum class PipelineSchedule : std::uint8_t { one_f_one_b, gpipe, zero_bubble, zero_bubble_v };
template <>
struct EnumNames<PipelineSchedule> {
  static constexpr std::array<std::string_view, 4> value = {"1f1b", "gpipe", "zero_bubble", "zero_bubble_v"};
};

/// Zero-bubble schedules run products for weight gradients apart from the rest of a backward pass.
constexpr bool delays_weight_gradients(PipelineSchedule schedule) {
  return schedule == PipelineSchedule::zero_bubble || schedule == PipelineSchedule::zero_bubble_v;
}

/// How context-parallel ranks meet all keys: they pass by (ring, or one gather), or queries, keys and values change
/// from parts of the sequence to parts of the heads. Sources: arXiv 2310.01889 (ring), arXiv 2309.14509 (all_to_all).
enum class ContextExchange : std::uint8_t { ring, all_to_all };
template <>
struct EnumNames<ContextExchange> {
  static constexpr std::array<std::string_view, 2> value = {"ring", "all_to_all"};
};

/// How tokens reach the experts of other ranks: a copy to each expert's rank, or one to each node, which hands it on.
/// Sources: arXiv 2101.03961 (all_to_all); arXiv 2412.19437, section 3.2.2 (once_per_node).
enum class ExpertDispatch : std::uint8_t { all_to_all, once_per_node };
template <>
struct EnumNames<ExpertDispatch> {
  static constexpr std::array<std::string_view, 2> value = {"all_to_all", "once_per_node"};
};

/// What the batch really holds. `padded_to_longest` and `unknown` make reserved memory less certain.
enum class Lengths : std::uint8_t { fixed, packed, padded_to_longest, unknown };
template <>
struct EnumNames<Lengths> {
  static constexpr std::array<std::string_view, 4> value = {"fixed", "packed", "padded_to_longest", "unknown"};
};

/// How logits become a loss; unset means the framework's own way.
enum class LossKind : std::uint8_t { eager, in_place, compiled, chunked, fused_linear };
template <>
struct EnumNames<LossKind> {
  static constexpr std::array<std::string_view, 5> value = {"eager", "in_place", "compiled", "chunked", "fused_linear"};
};

enum class OptimizerImplementation : std::uint8_t { foreach, fused, in_backward };
template <>
struct EnumNames<OptimizerImplementation> {
  static constexpr std::array<std::string_view, 3> value = {"foreach", "fused", "in_backward"};
};

/// Low-rank adapters: for each target x[t, in] -> A[in, rank] -> B[rank, out].
struct Lora {
  std::int64_t rank = 16;
  double dropout = 0.0;
  /// Hugging Face module suffixes, or "all-linear".
  std::vector<std::string> targets = {"all-linear"};
  /// Weight-decomposed: a trained magnitude per output beside the two matrices. Source: arXiv 2402.09353.
  bool dora = false;
};

/// What the user said of dtypes beyond the precision word; each unset one follows from framework and precision.
struct DtypeOverrides {
  std::optional<Dtype> weights, gradients, optimizer_states;
  std::optional<bool> master_weights;
};

/// What a text is written in. `code`: programs, whatever the language of their comments.
enum class TextLanguage : std::uint8_t { en, ja, zh, ko, de, fr, code };
template <>
struct EnumNames<TextLanguage> {
  static constexpr std::array<std::string_view, 7> value = {"en", "ja", "zh", "ko", "de", "fr", "code"};
};

/// Text to train on, where its size is known and its number of tokens is not.
struct Corpus {
  std::string path;           // file or folder whose size counts; empty: the size was given
  std::optional<Bytes> size;  // of the plain text in UTF-8
  std::optional<TextLanguage> language;
  std::optional<double> epochs;  // passes over it; unset: one

  bool is_given() const { return size.has_value() || !path.empty(); }
};

struct Job {
  std::optional<Method> method;
  std::string framework;  // profile id; empty: the default of the command
  std::optional<Precision> precision;
  DtypeOverrides dtypes;
  std::optional<Optimizer> optimizer;
  std::optional<OptimizerImplementation> optimizer_implementation;
  std::optional<std::int64_t> optimizer_rank;  // of low-rank optimizers (galore, apollo)
  std::optional<std::int64_t> active_layers;   // of block-wise optimizers (badam, lisa)
  std::optional<std::int64_t> sequence_length;
  std::optional<std::int64_t> micro_batch_size;
  std::optional<std::int64_t> gradient_accumulation_steps;
  std::optional<std::int64_t> global_batch_size;
  std::optional<std::int64_t> tokens;
  Corpus corpus;  // instead of tokens
  std::optional<ActivationRecompute> activation_recompute;
  std::optional<std::int64_t> recompute_every;   // every_k: one of so many layers
  std::optional<std::int64_t> recompute_layers;  // every_k: so many layers of the model, whichever
  std::optional<AttentionKernel> attention;
  std::optional<LossKind> loss;
  std::optional<Quantization> quantization;
  std::optional<bool> double_quantization;  // constants of 4-bit blocks quantised again
  std::optional<bool> quantize_experts;     // beside the other layers
  std::optional<Offload> offload;
  std::optional<OffloadTarget> offload_to;
  std::optional<std::int64_t> virtual_tokens;  // prompt and prefix tuning
  std::optional<Lengths> lengths;
  LengthQuantiles length_quantiles;  // of one sample's tokens; empty: not told
  std::optional<bool> compile;
  std::optional<bool> cuda_graphs;
  std::optional<bool> stochastic_rounding;  // 16-bit weights without a master copy, rounded at random
  std::optional<PipelineSchedule> pipeline_schedule;
  std::optional<ContextExchange> context_exchange;
  std::optional<ExpertDispatch> expert_dispatch;
  std::optional<std::int64_t> data_loader_tokens_per_s;  // all loaders of the job together
  std::optional<double> expert_imbalance;                // tokens of the busiest rank's experts over the mean, from 1
  AllocatorOverrides allocator;
  std::optional<double> headroom;
  std::optional<Month> era;  // of the software; unset: today's
  std::optional<Lora> lora;
};

}  // namespace mekiki
