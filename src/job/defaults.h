// Fills what a user left open, and says what it filled: a report prints every default in force.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "job/profile.h"

namespace mekiki {

/// A Job without open questions. Invariants: all counts >= 1; quantization is none unless the method is qlora or lora.
struct ResolvedJob {
  Method method = Method::full;
  std::string framework;
  Precision precision = Precision::bf16_mixed;
  DtypePlan dtypes;
  Optimizer optimizer = Optimizer::adamw;
  OptimizerImplementation optimizer_implementation = OptimizerImplementation::foreach;
  std::int64_t optimizer_rank = 128;
  std::int64_t active_layers = 1;
  std::int64_t sequence_length = 4096;
  std::int64_t micro_batch_size = 1;
  std::int64_t gradient_accumulation_steps = 1;
  std::optional<std::int64_t> global_batch_size;
  std::optional<std::int64_t> tokens;
  ActivationRecompute activation_recompute = ActivationRecompute::none;
  std::int64_t recompute_every = 2;              // with every_k
  std::optional<std::int64_t> recompute_layers;  // with every_k, in place of recompute_every
  AttentionKernel attention = AttentionKernel::sdpa;
  LossRule loss;
  Quantization quantization = Quantization::none;
  double bytes_per_4bit_weight = 0.5625;  // block constants included
  bool quantize_experts = true;
  std::optional<Month> era;  // of the software; unset: today's
  Offload offload = Offload::none;
  OffloadTarget offload_to = OffloadTarget::host;
  std::int64_t virtual_tokens = 20;
  Lengths lengths = Lengths::fixed;
  LengthQuantiles length_quantiles;
  /// Tokens of the corpus over positions of a batch: 1 but for padded batches of known lengths. Kept here because a
  /// search asks for every candidate.
  double real_token_share = 1.0;
  bool compile = false;
  bool cuda_graphs = false;
  PipelineSchedule pipeline_schedule = PipelineSchedule::one_f_one_b;
  ContextExchange context_exchange = ContextExchange::ring;
  double expert_imbalance = 1.0;
  ExpertDispatch expert_dispatch = ExpertDispatch::all_to_all;
  std::optional<TokensPerSecond> data_loader;  // all loaders of the job together; unset: never waited for
  AllocatorSettings allocator;
  double headroom = 0.20;
  Lora lora;
  /// Keys of the job file that a default filled, in the order of the file's schema.
  std::vector<std::string_view> defaults_used;
};

/// The job as its time sees it. Where batches are padded to their longest sample, a usual batch is shorter than the
/// longest sample of all, which memory has to hold.
ResolvedJob as_timed(const ResolvedJob& job);

/// The format that split products run in, and whose dense peak MFU and HFU are shares of.
Dtype arithmetic_of(const ResolvedJob& job);

/// How a loss of this kind behaves on a framework whose own loss is given.
LossRule loss_rule(LossKind kind, const LossRule& of_framework);

struct ModelLimits {
  std::int64_t max_position_embeddings = 0;  // 0: unknown
};

/// Defaults of CONTRACTS "Definitions". Errors: a precision that the framework's profile does not know, quantization
/// without an adapter method, values out of range; subject is the job key.
Result<ResolvedJob> with_defaults(const Job& job, const Profile& profile, ModelLimits limits);

}  // namespace mekiki
