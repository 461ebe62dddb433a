#include "job/defaults.h"

#include <algorithm>
#include <cmath>

namespace mekiki {
namespace {

constexpr std::int64_t kDefaultSequenceLength = 4096;
constexpr std::int64_t kLargestSequenceLength = 1LL << 30;
constexpr std::int64_t kMostLayers = 100000;
constexpr std::int64_t kLargestBatch = 1LL << 24;

/// The given value, or the default with its key noted.
template <class T>
T take(const std::optional<T>& given, T fallback, std::string_view key, ResolvedJob& resolved) {
  if (given) {
    return *given;
  }
  resolved.defaults_used.push_back(key);
  return fallback;
}

Status check_range(std::int64_t value, std::int64_t low, std::int64_t high, std::string_view key) {
  if (value >= low && value <= high) {
    return {};
  }
  return fail({ErrorCode::invalid_input,
               std::string(key),
               std::to_string(value) + " is out of range",
               "give a whole number from " + std::to_string(low) + " to " + std::to_string(high)});
}

DtypePlan plan_dtypes(
    const Job& job, const Profile& profile, const DtypeRule& rule, Method method, Quantization quantization) {
  const MemoryProfile& memory = profile.memory;
  DtypePlan plan;
  plan.weights = job.dtypes.weights.value_or(rule.weights);
  plan.compute = rule.compute;
  plan.reduction = rule.reduction;
  plan.optimizer_states = job.dtypes.optimizer_states.value_or(rule.optimizer_states);
  plan.master_weights = job.dtypes.master_weights.value_or(rule.master_weights);
  plan.adapter = memory.frozen_as_trained ? rule.weights : memory.adapter;
  plan.unquantized = memory.unquantized;
  plan.autocast = rule.autocast;
  if (trains_adapters_only(method)) {
    // The frozen base is loaded in the compute dtype unless the user or the framework says otherwise; states follow
    // the adapters.
    plan.weights = job.dtypes.weights.value_or(memory.frozen_as_trained ? rule.weights : rule.compute);
    plan.gradients = job.dtypes.gradients.value_or(plan.adapter);
    plan.optimizer_states = job.dtypes.optimizer_states.value_or(plan.adapter);
    plan.master_weights = job.dtypes.master_weights.value_or(false);
  } else {
    plan.gradients = job.dtypes.gradients.value_or(rule.gradients);
  }
  if (job.stochastic_rounding.value_or(false)) {
    plan.master_weights = false;
    plan.optimizer_states = job.dtypes.optimizer_states.value_or(plan.weights);
  }
  // Where embedding and norms are fp32 beside quantised layers, the residual stream is fp32 too.
  const Dtype embedded = quantization == Quantization::none ? plan.weights : plan.unquantized;
  const bool stored_wide = embedded == Dtype::fp32;
  plan.residual = plan.autocast && stored_wide ? Dtype::fp32 : plan.compute;
  return plan;
}

/// Blocks of 64 weights with an fp32 constant each, or with an 8-bit one and an fp32 constant for 256 of those.
/// Source: arXiv 2305.14314, section 3 (double quantization).
double bytes_per_4bit_weight(bool constants_quantized) {
  constexpr double kWeight = 0.5, kBlock = 64, kBlocksOfConstants = 256, kFp32 = 4, kByteConstant = 1;
  return constants_quantized ? kWeight + kByteConstant / kBlock + kFp32 / (kBlock * kBlocksOfConstants)
                             : kWeight + kFp32 / kBlock;
}

/// Keys that contradict each other.
Status check_choices(const Job& job, const DtypePlan& dtypes) {
  if (job.stochastic_rounding.value_or(false) && (dtypes.weights == Dtype::fp32 || job.dtypes.master_weights == true)) {
    return fail({ErrorCode::conflict,
                 "stochastic_rounding",
                 "it takes the place of fp32 weights, which this job keeps",
                 "use it with precision bf16-pure and without master_weights"});
  }
  const Offload offload = job.offload.value_or(Offload::none);
  if (job.offload_to == OffloadTarget::nvme && !offloads_optimizer(offload)) {
    return fail({ErrorCode::conflict,
                 "offload_to",
                 "nothing that can live on NVMe is offloaded",
                 "add offload: optimizer or optimizer_and_weights"});
  }
  return {};
}

bool is_padded_to_known(const ResolvedJob& job) {
  return job.lengths == Lengths::padded_to_longest && !job.length_quantiles.empty();
}

double real_token_share(const ResolvedJob& job) {
  return is_padded_to_known(job)
             ? mean_length(job.length_quantiles, job.sequence_length) / static_cast<double>(job.sequence_length)
             : 1.0;
}

}  // namespace

Result<ResolvedJob> with_defaults(const Job& job, const Profile& profile, ModelLimits limits) {
  ResolvedJob r;
  r.framework = profile.id;
  if (job.framework.empty()) {
    r.defaults_used.push_back("framework");
  }
  r.method = take(job.method, Method::full, "method", r);
  r.precision = take(job.precision, Precision::bf16_mixed, "precision", r);
  const DtypeRule& rule = profile.memory.dtypes[static_cast<std::size_t>(r.precision)];
  if (!rule.supported) {
    return fail({ErrorCode::unsupported,
                 "precision",
                 std::string(enum_name(r.precision)) + " is not described for the framework " + profile.id,
                 "choose bf16-mixed, or another framework"});
  }
  r.quantization = job.quantization.value_or(r.method == Method::qlora ? Quantization::nf4 : Quantization::none);
  if (r.quantization != Quantization::none && !trains_adapters_only(r.method)) {
    return fail({ErrorCode::conflict,
                 "quantization",
                 "quantized weights cannot be trained themselves",
                 "use method qlora, or drop quantization"});
  }
  r.bytes_per_4bit_weight =
      job.double_quantization ? bytes_per_4bit_weight(*job.double_quantization) : profile.memory.bytes_per_4bit_weight;
  r.quantize_experts = job.quantize_experts.value_or(true);
  r.dtypes = plan_dtypes(job, profile, rule, r.method, r.quantization);
  if (Status status = check_choices(job, r.dtypes); !status) {
    return fail(status.error());
  }
  r.optimizer = take(job.optimizer, Optimizer::adamw, "optimizer", r);
  r.optimizer_implementation = job.optimizer_implementation.value_or(profile.memory.optimizer);
  if (r.optimizer == Optimizer::galore || r.optimizer == Optimizer::galore_8bit || r.optimizer == Optimizer::apollo) {
    r.optimizer_rank = take(job.optimizer_rank, r.optimizer_rank, "optimizer_rank", r);
  }
  if (r.optimizer == Optimizer::badam || r.optimizer == Optimizer::lisa) {
    constexpr std::int64_t kSampledByLisa = 2;
    r.active_layers =
        take(job.active_layers, r.optimizer == Optimizer::lisa ? kSampledByLisa : r.active_layers, "active_layers", r);
  }
  const std::int64_t longest =
      limits.max_position_embeddings > 0 ? limits.max_position_embeddings : kDefaultSequenceLength;
  r.sequence_length = take(job.sequence_length, std::min(kDefaultSequenceLength, longest), "sequence_length", r);
  r.micro_batch_size = take(job.micro_batch_size, std::int64_t{1}, "micro_batch_size", r);
  r.gradient_accumulation_steps =
      take(job.gradient_accumulation_steps, std::int64_t{1}, "gradient_accumulation_steps", r);
  r.global_batch_size = job.global_batch_size;
  r.tokens = job.tokens;
  const ActivationRecompute usual =
      trains_adapters_only(r.method) ? profile.memory.recompute_adapters : profile.memory.recompute_full_training;
  r.activation_recompute = take(job.activation_recompute, usual, "activation_recompute", r);
  if (job.recompute_layers) {
    r.activation_recompute = ActivationRecompute::every_k;
    r.recompute_layers = job.recompute_layers;
  } else if (r.activation_recompute == ActivationRecompute::every_k) {
    r.recompute_every = take(job.recompute_every, r.recompute_every, "recompute_every", r);
  }
  r.attention = take(job.attention, AttentionKernel::sdpa, "attention", r);
  r.loss = profile.memory.loss;
  if (job.loss) {
    r.loss = loss_rule(*job.loss, profile.memory.loss);
  }
  r.era = job.era;
  r.offload = job.offload.value_or(Offload::none);
  r.offload_to = job.offload_to.value_or(OffloadTarget::host);
  if (r.method == Method::prompt || r.method == Method::prefix) {
    r.virtual_tokens = take(job.virtual_tokens, r.virtual_tokens, "virtual_tokens", r);
  }
  r.lengths = job.lengths.value_or(job.length_quantiles.empty() ? Lengths::fixed : Lengths::padded_to_longest);
  r.length_quantiles = job.length_quantiles;
  r.compile = job.compile.value_or(false);
  r.cuda_graphs = job.cuda_graphs.value_or(profile.time.cuda_graphs);
  r.pipeline_schedule = job.pipeline_schedule.value_or(PipelineSchedule::one_f_one_b);
  r.context_exchange = job.context_exchange.value_or(ContextExchange::ring);
  r.expert_imbalance = job.expert_imbalance.value_or(1.0);
  r.expert_dispatch = job.expert_dispatch.value_or(ExpertDispatch::all_to_all);
  if (job.data_loader_tokens_per_s) {
    r.data_loader = TokensPerSecond{static_cast<double>(*job.data_loader_tokens_per_s)};
  }
  r.allocator = {
      .expandable_segments = job.allocator.expandable_segments.value_or(profile.memory.allocator.expandable_by_default),
      .max_split_size = job.allocator.max_split_size,
      .roundup_power2_divisions = job.allocator.roundup_power2_divisions.value_or(0)};
  r.headroom = take(job.headroom, 0.20, "headroom", r);
  r.lora = job.lora.value_or(Lora{});
  for (const Status& status :
       {check_range(r.sequence_length, 1, kLargestSequenceLength, "sequence_length"),
        check_range(r.micro_batch_size, 1, kLargestBatch, "micro_batch_size"),
        check_range(r.gradient_accumulation_steps, 1, kLargestBatch, "gradient_accumulation_steps"),
        check_range(r.lora.rank, 1, 65536, "lora_rank"),
        check_range(r.optimizer_rank, 1, 65536, "optimizer_rank"),
        check_range(r.active_layers, 1, kMostLayers, "active_layers"),
        check_range(r.recompute_every, 1, kMostLayers, "recompute_every"),
        check_range(r.recompute_layers.value_or(1), 1, kMostLayers, "recompute_layers"),
        check_range(r.global_batch_size.value_or(1), 1, 1LL << 32, "global_batch_size")}) {
    if (!status) {
      return fail(status.error());
    }
  }
  if (!(r.headroom >= 0.0 && r.headroom <= 1.0)) {
    return fail({ErrorCode::invalid_input, "headroom", "headroom lies between 0 and 1", "15 to 30 % is usual: 0.20"});
  }
  r.real_token_share = real_token_share(r);
  return r;
}

ResolvedJob as_timed(const ResolvedJob& job) {
  ResolvedJob timed = job;
  if (is_padded_to_known(job)) {
    const double padded = mean_of_longest(job.length_quantiles, job.sequence_length, job.micro_batch_size);
    timed.sequence_length = static_cast<std::int64_t>(std::ceil(padded));
    timed.real_token_share = real_token_share(timed);
  }
  return timed;
}

Dtype arithmetic_of(const ResolvedJob& job) {
  switch (job.precision) {
    case Precision::fp8:
      return Dtype::fp8;
    case Precision::mxfp8:
      return Dtype::mxfp8;
    case Precision::nvfp4:
      return Dtype::nvfp4;
    default:
      return job.dtypes.compute;
  }
}

LossRule loss_rule(LossKind kind, const LossRule& of_framework) {
  // Bytes per logit by how many copies of the [tokens, vocabulary] table a loss of this kind keeps: 16-bit logits 2,
  // fp32 copy 4, log-softmax 4, gradient 4. Source: facts on logits and cross entropy, section (b) 6 of
  // docs/validation.md.
  switch (kind) {
    case LossKind::eager:
      return of_framework.kind == LossKind::eager ? of_framework : LossRule{kind, 14.0, 1};
    case LossKind::in_place:
    case LossKind::compiled:
    case LossKind::chunked:
      return {kind, 4.0, 1};
    case LossKind::fused_linear:
      return {kind, 0.3, 1};
  }
  return of_framework;
}

}  // namespace mekiki
