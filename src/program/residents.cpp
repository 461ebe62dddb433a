#include "program/residents.h"

#include <algorithm>

namespace mekiki {
namespace {

constexpr std::uint8_t kAllPhases = 0x7f;
constexpr std::uint8_t kAfterLoad = kAllPhases & static_cast<std::uint8_t>(~phase_bit(PhaseKind::load));
constexpr std::uint8_t kStepPhases =
    phase_bit(PhaseKind::first_step) | phase_bit(PhaseKind::later_micro_batches) | phase_bit(PhaseKind::evaluation);
constexpr std::uint8_t kAfterFirstStep = phase_bit(PhaseKind::later_micro_batches) | phase_bit(PhaseKind::optimizer) |
                                         phase_bit(PhaseKind::evaluation) | phase_bit(PhaseKind::save) |
                                         phase_bit(PhaseKind::resume);

class StageResidents {
 public:
  StageResidents(const LoweringContext& context, const StageContents& stage)
      : model_(context.model),
        job_(context.job),
        layout_(context.layout),
        rules_(context.profile.memory.sharding),
        sharding_(context.sharding),
        units_(context.units),
        context_(context),
        stage_(stage),
        stored_(stored_weights_of(stage.elements, context.job)) {}

  ResidentList list() && {
    add_weights();
    add_states();
    add_gradients();
    add_reduction_buffers();
    add_gathered_weights();
    add_offloaded_activations();
    add_nvme_buffers();
    return list_;
  }

 private:
  /// What is not there is no resident.
  void add(const Resident& resident) {
    if (resident.bytes > Bytes{}) {
      list_.add(resident);
    }
  }

  /// Where what is offloaded lives.
  MemoryPlace place(bool offloaded) const { return offloaded ? place_of(job_.offload_to) : MemoryPlace::device; }

  void add_weights() {
    const ShardCounts& shards = sharding_.shards;
    const MemoryPlace where = place(offloads_weights(job_.offload));
    add({"weights", Category::weights, on_one_rank(stored_, shards), kAllPhases, where});
    add({"adapters",
         Category::weights,
         stage_.elements.adapter * bytes_per_element(job_.dtypes.adapter) / shards.weights,
         kAllPhases,
         where});
    if (rules_.loads_quantized_whole && rules_.style == DataParallelStyle::fsdp2 && shards.weights > 1 &&
        job_.quantization != Quantization::none) {
      add({"unsharded_at_load", Category::weights, stored_.dense + stored_.expert, phase_bit(PhaseKind::load)});
    }
  }

  void add_states() {
    const MemoryPlace where = place(offloads_optimizer(job_.offload));
    // A block that trains in 16 bit for a while gets an fp32 copy for that time.
    const bool block_copy = model_.optimizer.block_wise() && job_.dtypes.weights != Dtype::fp32;
    if (job_.dtypes.master_weights || block_copy) {
      add({"master_weights",
           Category::master_weights,
           stage_.trained_elements * bytes_per_element(Dtype::fp32),
           kAllPhases,
           where});
    }
    if (job_.optimizer != Optimizer::adamw_paged_8bit) {
      add({"optimizer_states",
           Category::optimizer_states,
           Bytes{stage_.trained_elements * model_.optimizer.bytes_per_element},
           kAfterFirstStep,
           where});
    }
  }

  bool accumulates() const { return context_.micro_batches > 1; }

  /// Gradients that wait for the optimizer.
  Bytes kept() const {
    return model_.optimizer.block_wise() ? stage_.trained_elements * bytes_per_element(job_.dtypes.gradients)
                                         : kept_gradients(stage_.elements, job_, sharding_);
  }

  void add_gradients() {
    // Sharded gradients follow the states as backward makes them.
    const bool offloaded =
        offloads_weights(job_.offload) || (offloads_optimizer(job_.offload) && sharding_.reduces_every_micro_batch);
    const std::uint8_t made_by_backward =
        phase_bit(PhaseKind::optimizer) | (accumulates() ? phase_bit(PhaseKind::later_micro_batches) : 0);
    add({"gradients",
         Category::gradients,
         kept(),
         sharding_.resident_gradients ? kAfterLoad : made_by_backward,
         place(offloaded)});
    if (accumulates()) {
      add({"unsharded_gradients",
           Category::gradients,
           unsharded_gradients(stage_.elements, job_, sharding_),
           phase_bit(PhaseKind::later_micro_batches)});
    }
  }

  void add_reduction_buffers() {
    if (layout_.data_parallel() <= 1) {
      return;
    }
    if (rules_.gradient_bucket_copy && !sharding_.reduces_every_micro_batch) {
      add({"gradient_buckets", Category::communication, kept(), kAfterLoad});
    }
    if (rules_.reduce_bucket_elements > 0 && !trains_adapters_only(job_.method)) {
      const double copies = layout_.zero_stage >= 1 && layout_.zero_stage <= 2 ? 2.0 : 1.0;
      const double bucket = std::min(copies * rules_.reduce_bucket_elements, 2.0 * stage_.elements.total());
      add({"reduce_buckets",
           Category::communication,
           bucket * bytes_per_element(job_.dtypes.compute),
           kStepPhases | phase_bit(PhaseKind::optimizer)});
    }
  }

  Bytes in_compute(const ElementSplit& e) const {
    return job_.quantization == Quantization::none ? e.total() * bytes_per_element(job_.dtypes.compute)
                                                   : stored_weights_of(e, job_).dense;
  }

  void add_gathered_weights() {
    if (sharding_.shards.weights <= 1 && !sharding_.streams_weights) {
      return;
    }
    if (!sharding_.reshards) {
      add({"gathered_weights", Category::communication, in_compute(stage_.elements), kStepPhases});
    } else if (sharding_.style == DataParallelStyle::zero) {
      double largest = stage_.root.dense;
      for (const ElementSplit& layer : units_.layer_elements) {
        largest = std::max(largest, layer.total());
      }
      const double live = std::min(stage_.elements.total(), rules_.max_live_parameters + largest);
      add({"live_parameters", Category::communication, live * bytes_per_element(job_.dtypes.compute), kStepPhases});
    } else if (rules_.root_stays_gathered) {
      const bool without_embedding = rules_.embedding_apart && stage_.role.has_head && !model_.tied;
      const ElementSplit& kept = without_embedding ? units_.head : stage_.root;
      add({"gathered_root", Category::communication, in_compute(kept), kStepPhases});
    }
  }

  /// Two layers' worth of what is kept passes over the device; the rest waits where it was moved to.
  void add_offloaded_activations() {
    Bytes largest;
    for (const LayerRun& run : stage_.layers) {
      largest = std::max(largest, units_.offloaded_activations[static_cast<std::size_t>(run.kind)]);
    }
    add({"offload_buffers", Category::activations, 2.0 * largest, kStepPhases});
    add({"offloaded_activations",
         Category::activations,
         stage_.micro_batches_in_flight * offloaded_activations(context_, stage_),
         kStepPhases,
         MemoryPlace::host});
  }

  /// What lives on NVMe passes through pinned host memory.
  void add_nvme_buffers() {
    if (job_.offload_to != OffloadTarget::nvme) {
      return;
    }
    const Bytes whole = on_one_rank(stored_, sharding_.shards);
    const Bytes weights =
        offloads_weights(job_.offload) ? rules_.nvme_weight_elements * bytes_per_element(job_.dtypes.compute) : Bytes{};
    const double group = rules_.update_group_elements > 0 ? rules_.update_group_elements : stage_.trained_elements;
    const Bytes updates =
        rules_.nvme_update_buffers * std::min(stage_.trained_elements, group) * bytes_per_element(Dtype::fp32);
    add({"nvme_buffers", Category::communication, std::min(weights, whole) + updates, kAllPhases, MemoryPlace::host});
  }

  const PreparedModel& model_;
  const ResolvedJob& job_;
  const ParallelLayout& layout_;
  const ShardingRules& rules_;
  const Sharding& sharding_;
  const Units& units_;
  const LoweringContext& context_;
  const StageContents& stage_;
  StoredWeights stored_;
  ResidentList list_;
};

}  // namespace

ResidentList residents_of(const LoweringContext& context, const StageContents& stage) {
  return StageResidents(context, stage).list();
}

}  // namespace mekiki
