#include "program/sharding.h"

#include <algorithm>

#include "program/optimizer_state.h"

namespace mekiki {
namespace {

double trained(const ElementSplit& e, const ResolvedJob& job) {
  return trains_adapters_only(job.method) ? e.adapter : e.total();
}

Bytes sized(double elements, Dtype dtype) {
  return elements * bytes_per_element(dtype);
}

/// Trained elements over the shards of each part.
double sharded(const ElementSplit& e, const ResolvedJob& job, double dense_shards, double expert_shards) {
  if (trains_adapters_only(job.method)) {
    return e.adapter / dense_shards;
  }
  return e.dense / dense_shards + e.expert / expert_shards;
}

}  // namespace

Sharding sharding_of(const ResolvedJob& job, const ParallelLayout& layout, const Profile& profile) {
  Sharding s;
  s.style = profile.memory.sharding.style;
  const auto group = static_cast<double>(layout.dp_shard * layout.context_parallel);
  const double expert_group =
      std::max(1.0, static_cast<double>(layout.expert_data_parallel()) / static_cast<double>(layout.dp_replicate));
  const int stage = group > 1 ? layout.zero_stage : 0;
  const bool unsharded_gradients =
      profile.memory.sharding.resident_gradients && profile.memory.sharding.unsharded_gradients;
  if (stage >= 1) {
    s.shards.states = group;
    s.shards.expert_states = expert_group;
  }
  if (stage >= 2 && !unsharded_gradients) {
    s.shards.gradients = group;
    s.shards.expert_gradients = expert_group;
    s.reduces_every_micro_batch = true;
  }
  if (stage >= 3) {
    s.shards.weights = group;
    s.shards.expert_weights = expert_group;
  }
  s.streams_weights = offloads_weights(job.offload);
  const bool pipeline = layout.pipeline_parallel > 1;
  s.reshards = layout.reshard_after_forward && !(pipeline && profile.memory.sharding.pipeline_stays_gathered);
  s.gathers_once = pipeline && stage >= 3 && profile.memory.sharding.pipeline_stays_gathered;
  if (s.reduces_every_micro_batch) {
    s.accumulation = pipeline ? profile.memory.sharding.pipeline_accumulates_unsharded
                              : profile.memory.sharding.accumulates_unsharded;
  }
  s.in_backward =
      job.optimizer_implementation == OptimizerImplementation::in_backward || steps_in_backward(job.optimizer);
  s.resident_gradients = profile.memory.sharding.resident_gradients && !trains_adapters_only(job.method);
  const bool made_in_compute =
      s.reduces_every_micro_batch || s.resident_gradients || s.style == DataParallelStyle::zero;
  s.weight_gradient = made_in_compute ? job.dtypes.compute : job.dtypes.gradients;
  return s;
}

Bytes bytes_per_quantized_weight(const ResolvedJob& job) {
  switch (job.quantization) {
    case Quantization::nf4:
    case Quantization::fp4:
      return Bytes{job.bytes_per_4bit_weight};
    case Quantization::int8:
      return Bytes{1.005};  // one fp32 scale per row
    case Quantization::gptq_int4:
      return Bytes{0.5 + 2.5 / 128.0};  // a 16-bit scale and a 4-bit zero per 128 weights
    case Quantization::none:
      break;
  }
  return Bytes{2.0};
}

StoredWeights stored_weights_of(const ElementSplit& e, const ResolvedJob& job) {
  if (job.quantization == Quantization::none) {
    return {sized(e.dense, job.dtypes.weights), sized(e.expert, job.dtypes.weights)};
  }
  const double plain = e.small + e.unquantized;
  const Bytes quantized = bytes_per_quantized_weight(job);
  const Bytes expert = job.quantize_experts ? quantized : bytes_per_element(job.dtypes.unquantized);
  return {std::max(0.0, e.dense - plain) * quantized + sized(plain, job.dtypes.unquantized), e.expert * expert};
}

double trained_on_one_rank(const ElementSplit& e,
                           const PreparedModel& model,
                           const ResolvedJob& job,
                           const ShardCounts& shards) {
  return model.optimizer.active_share * (trains_adapters_only(job.method)
                                             ? e.adapter / shards.states
                                             : e.dense / shards.states + e.expert / shards.expert_states);
}

GatheredWeights gathered_weights(const ElementSplit& e, const ResolvedJob& job, const Sharding& s) {
  GatheredWeights g;
  g.gradient_dtype = job.dtypes.gradients;
  g.gradients_resident = s.resident_gradients || s.in_backward;
  if (s.shards.weights > 1 || s.streams_weights) {
    const StoredWeights stored = stored_weights_of(e, job);
    const bool quantized = job.quantization != Quantization::none;
    const Bytes dense = quantized ? stored.dense : sized(e.dense, job.dtypes.compute);
    const Bytes expert = s.shards.expert_weights > 1 || s.streams_weights
                             ? (quantized ? stored.expert : sized(e.expert, job.dtypes.compute))
                             : Bytes{};
    const Bytes whole = dense + expert;
    g.gather_message = s.gathers_once ? Bytes{} : whole;
    const bool stays = !s.reshards || s.style == DataParallelStyle::zero;
    // One unit computes while the next is fetched; what stays gathered is a resident of the stage instead.
    g.forward = g.backward = stays ? Bytes{} : 2.0 * whole;
    g.gather_in_backward = s.reshards;
  }
  const double elements = trained(e, job);
  if (s.reduces_every_micro_batch && elements > 0) {
    g.keeps_weight_gradients = false;
    g.reduce_message = s.accumulation == UnshardedAccumulation::none ? sized(elements, job.dtypes.reduction) : Bytes{};
    const bool copies = bytes_per_element(job.dtypes.reduction) != bytes_per_element(s.weight_gradient);
    g.reduction_copy = copies ? sized(elements, job.dtypes.reduction) : Bytes{};
    g.gradient_kept = s.in_backward
                          ? Bytes{}
                          : sized(sharded(e, job, s.shards.gradients, s.shards.expert_gradients), job.dtypes.gradients);
  }
  return g;
}

Bytes unsharded_gradients(const ElementSplit& e, const ResolvedJob& job, const Sharding& s) {
  switch (s.accumulation) {
    case UnshardedAccumulation::none:
      return Bytes{};
    case UnshardedAccumulation::trained:
      return sized(trained(e, job), s.style == DataParallelStyle::fsdp2 ? job.dtypes.reduction : s.weight_gradient);
    case UnshardedAccumulation::whole_unit:
      return sized(e.total() + e.adapter, job.dtypes.compute);
  }
  return Bytes{};
}

Bytes kept_gradients(const ElementSplit& e, const ResolvedJob& job, const Sharding& s) {
  if (s.in_backward) {
    return Bytes{};
  }
  const bool in_compute = s.style == DataParallelStyle::zero && !s.resident_gradients && s.shards.gradients == 1;
  const Dtype dtype = in_compute ? s.weight_gradient : job.dtypes.gradients;
  return sized(sharded(e, job, s.shards.gradients, s.shards.expert_gradients), dtype);
}

}  // namespace mekiki
