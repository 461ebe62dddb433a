// Profile: what one training framework really does, as data. `lower` reads it; no code asks for a framework's name.
// Files: data/profiles/ID/memory.json and time.json; every statement there carries its source.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/dtype.h"
#include "base/enum_names.h"
#include "job/bands.h"
#include "job/job.h"

namespace mekiki {

/// How a data-parallel group shares its work when the user does not say.
enum class DataParallelStyle : std::uint8_t {
  ddp,                   // replicas, gradients all-reduced in buckets
  fsdp1,                 // flat parameters, units gathered before use
  fsdp2,                 // per-parameter sharding, gathers and reductions on their own streams
  zero,                  // staged partition with flat buckets
  distributed_optimizer  // states sharded, gradients in one fp32 buffer, parameters gathered after the step
};
template <>
struct EnumNames<DataParallelStyle> {
  static constexpr std::array<std::string_view, 5> value = {"ddp", "fsdp1", "fsdp2", "zero", "distributed_optimizer"};
};

/// What stays whole between the micro-batches of one step although states are sharded.
enum class UnshardedAccumulation : std::uint8_t {
  none,
  trained,    // gradients of what trains, until the last micro-batch reduces them
  whole_unit  // gradients of whole units, frozen weights included: flat parameters that mix both
};
template <>
struct EnumNames<UnshardedAccumulation> {
  static constexpr std::array<std::string_view, 3> value = {"none", "trained", "whole_unit"};
};

/// What a norm keeps for backward.
enum class NormImplementation : std::uint8_t {
  eager_fp32,  // composed of single ops: an fp32 copy of the input, and the normalised input where the weight trains
  eager_wide,  // the same, but the normalised input stays fp32 too
  native,      // one kernel: the input
  fused        // one kernel that needs no copy in another dtype
};
template <>
struct EnumNames<NormImplementation> {
  static constexpr std::array<std::string_view, 4> value = {"eager_fp32", "eager_wide", "native", "fused"};
};

/// How queries, keys and values are projected.
enum class ProjectionLayout : std::uint8_t {
  apart,         // three products
  fused,         // one product; each of the three is a view of its result
  fused_copied,  // one product; each of the three is copied out of its result
};
template <>
struct EnumNames<ProjectionLayout> {
  static constexpr std::array<std::string_view, 3> value = {"apart", "fused", "fused_copied"};
};

/// Dtypes of one precision mode.
struct DtypeRule {
  bool supported = false;
  Dtype weights = Dtype::fp32;
  Dtype compute = Dtype::bf16;
  Dtype gradients = Dtype::fp32;
  Dtype reduction = Dtype::fp32;
  Dtype optimizer_states = Dtype::fp32;
  bool master_weights = false;
  /// Weights stay as stored and every matrix product casts its inputs (torch.autocast).
  bool autocast = false;
};

/// Bytes per logit that are live together at the worst moment of the loss.
struct LossRule {
  LossKind kind = LossKind::eager;
  double bytes_per_logit = 12.0;
  double compiled_bytes_per_logit = 0;         // under torch.compile; 0: the same
  double narrow_bytes_per_logit = 0;           // where the logits stay 16 bits wide (no autocast); 0: the same
  double tensor_parallel_bytes_per_logit = 0;  // where the vocabulary is split over tensor ranks; 0: the same
  bool gathers_logits = false;                 // tensor ranks hold the whole vocabulary's logits
  std::int64_t chunks = 1;
};

struct AllocatorRule {
  /// Memory comes from PyTorch's caching allocator (memory/caching_allocator.h); false: from the driver as it is
  /// needed.
  bool caching = true;
  bool expandable_by_default = false;
  /// reserved / what is live at most, in the closed form of the search; the answer replays every request instead.
  double closed_form_factor = 1.0;
};

/// What the driver and the libraries take outside the allocator.
struct DeviceOverheads {
  Bytes context;
  Bytes first_communicator;
  Bytes further_communicator;
};

/// What a style of data parallelism does with weights, gradients and buffers: a framework that runs under another one's
/// takes all of it.
struct ShardingRules {
  DataParallelStyle style = DataParallelStyle::ddp;
  /// A second full copy of the gradients lives in reduction buckets.
  bool gradient_bucket_copy = false;
  /// Largest reduction bucket of `zero` style, in elements.
  double reduce_bucket_elements = 0;
  /// Gathered parameters that `zero` stage 3 may keep, in elements.
  double max_live_parameters = 0;
  /// Gradients are accumulated into a resident buffer of `gradients` dtype (not created by the first backward).
  bool resident_gradients = false;
  /// The unsharded gradient buffer stays unsharded although states are sharded.
  bool unsharded_gradients = true;
  UnshardedAccumulation accumulates_unsharded = UnshardedAccumulation::none;
  /// The same, in pipelines alone.
  UnshardedAccumulation pipeline_accumulates_unsharded = UnshardedAccumulation::none;
  /// A pipeline stage keeps its weights gathered while a step runs.
  bool pipeline_stays_gathered = false;
  /// The all-reduce of an unsharded accumulator works on a copy of it.
  bool reduction_copies_accumulator = false;
  /// Elements that `zero` stage 3 updates at once; 0: the whole partition.
  double update_group_elements = 0;
  /// Bytes per trained element of this rank's partition that the reduction into it takes besides.
  double partition_copy_bytes = 0;
  /// Embedding and head are gathered once and kept while a step runs.
  bool root_stays_gathered = false;
  /// The embedding is a unit of its own and not kept so.
  bool embedding_apart = false;
  /// Gathers and reductions allocate on streams of their own.
  bool stream_pools = false;
  /// Host memory that states and weights on NVMe pass through: elements of weights, and buffers of one update group
  /// each. 0: nobody said.
  double nvme_weight_elements = 0, nvme_update_buffers = 0;
  /// With fsdp2, quantised weights arrive whole on every device and are cut into shards from there, both at once.
  bool loads_quantized_whole = false;
};

struct MemoryProfile {
  std::array<DtypeRule, EnumNames<Precision>::value.size()> dtypes{};
  ShardingRules sharding;
  /// Products with quantised weights keep their input although the weight is frozen, and return in its dtype.
  bool quantized_input_kept = false;
  bool quantized_output_as_input = false;
  /// An adapter on some of the fused queries, keys and values keeps its output: it is copied into its place by an op
  /// that needs it again.
  bool adapter_output_kept = false;
  /// Adapters and the base under them have the dtype that weights have where all of them train.
  bool frozen_as_trained = false;
  /// What FSDP means where no version is said.
  DataParallelStyle fsdp = DataParallelStyle::fsdp1;
  NormImplementation norm = NormImplementation::native;
  /// Norms keep an fp32 copy of a narrower weight.
  bool norm_weight_copied = false;
  ProjectionLayout projections = ProjectionLayout::apart;
  /// As Attention::joins_rotary, for every model.
  bool joins_rotary = false;
  /// Keys and values are copied out to all query heads before attention.
  bool repeats_kv = false;
  /// The outputs of experts are weighed in fp32.
  bool combines_experts_wide = false;
  /// Bytes per attention score that an eager kernel keeps for backward.
  double eager_score_bytes = 6.0;
  /// gate and up outputs and the activated gate are all kept (false: the activated gate is recomputed in the fused
  /// kernel).
  bool keeps_activated_gate = true;
  LossRule loss;
  ActivationRecompute recompute_full_training = ActivationRecompute::none;
  ActivationRecompute recompute_adapters = ActivationRecompute::none;
  /// So many layers as needed can be recomputed, and users do that where nothing else is said.
  bool partial_recompute = false;
  std::string selective_policy;  // "every_second_matmul", "attention_core", ""
  OptimizerImplementation optimizer = OptimizerImplementation::foreach;
  bool sequence_parallel_with_tensor_parallel = false;
  std::int64_t vocabulary_multiple = 1;
  Dtype adapter = Dtype::fp32;
  double lora_dropout = 0.0;
  /// Bytes of one 4-bit weight with its block constants (0.5625: one fp32 constant per 64 weights; 0.516: those
  /// quantised again).
  double bytes_per_4bit_weight = 0.5625;
  /// Weights left out of quantisation (embedding, head, norms).
  Dtype unquantized = Dtype::bf16;
  bool checkpoint_inputs_offloaded = false;
  AllocatorRule allocator;
  DeviceOverheads device;
  Bands bands;
};

struct TimeProfile {
  /// Host time to launch one transformer layer, forward and backward; a step is never faster than its launches.
  Seconds launch_forward_per_layer;
  Seconds launch_backward_per_layer;
  double launch_compiled_factor = 1.0;
  bool cuda_graphs = false;
  /// Traffic of norms, activations and residuals over that of perfectly fused kernels.
  double elementwise_traffic = 1.0;
  double elementwise_traffic_compiled = 1.0;
  double loss_traffic_per_logit = 24.0;  // bytes
  AttentionKernel attention = AttentionKernel::flash2;
  /// Share of tensor-parallel traffic that hides behind compute.
  double tensor_parallel_overlap = 0.0;
  /// Share of data-parallel traffic that may hide behind compute.
  double data_parallel_overlap = 1.0;
  Seconds step_overhead;
  /// Small kernels for each expert of a rank and product: 1 where grouped products loop over experts, 0 where one
  /// kernel takes them all.
  double kernels_per_expert = 0;
  /// Adapters run as their own small kernels: their traffic over the fused form.
  double lora_traffic = 1.0;
  Bands bands;
};

/// Layout axes that the framework can use; the search stays inside them.
struct EngineSupport {
  bool tensor_parallel = false;
  bool pipeline_parallel = false;
  bool context_parallel = false;
  bool expert_parallel = false;
  bool sharding = false;  // zero_stage 1 to 3 or FSDP
  bool adapters = true;
  bool offload_optimizer = false;              // states to host memory, the update there
  bool offload_optimizer_and_weights = false;  // weights and gradients too
  bool offload_activations = false;
};

struct Profile {
  std::string id;
  MemoryProfile memory;
  TimeProfile time;
  EngineSupport supports;
  bool generic = false;  // stands in for a framework that we have no profile of
};

/// The kind of a prediction for a job of `method` on this framework.
constexpr BandKind band_kind(const Profile& profile, Method method, InputQuality inputs) {
  if (profile.generic) {
    return BandKind::generic;
  }
  if (inputs == InputQuality::assumed) {
    return BandKind::assumed;
  }
  return trains_adapters_only(method) ? BandKind::adapters : BandKind::full;
}

/// Dtypes of one job on one framework, all decided.
struct DtypePlan {
  Dtype weights = Dtype::fp32;
  Dtype compute = Dtype::bf16;
  Dtype gradients = Dtype::fp32;
  Dtype reduction = Dtype::fp32;
  Dtype optimizer_states = Dtype::fp32;
  Dtype adapter = Dtype::fp32;
  Dtype unquantized = Dtype::bf16;
  Dtype residual = Dtype::bf16;
  bool master_weights = false;
  bool autocast = false;
};

}  // namespace mekiki
