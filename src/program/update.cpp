#include "program/update.h"

#include <algorithm>

namespace mekiki {
namespace {

class StageUpdate {
 public:
  StageUpdate(const LoweringContext& context, const StageContents& stage)
      : job_(context.job),
        layout_(context.layout),
        rules_(context.profile.memory.sharding),
        sharding_(context.sharding),
        context_(context),
        stage_(stage),
        adapters_(trains_adapters_only(context.job.method)),
        whole_(adapters_ ? stage.elements.adapter : stage.elements.total()),
        state_bytes_(context.model.optimizer.bytes_per_element) {}

  Update update() && {
    add_gathers_and_reductions();
    add_replica_reduction();
    if (!offloads_optimizer(job_.offload)) {
      add_update_on_device();
    }
    update_.temporary = temporary();
    add_offload_traffic();
    return update_;
  }

 private:
  void add_gathers_and_reductions() {
    if (sharding_.gathers_once) {
      const Bytes weights = stage_.elements.total() * bytes_per_element(job_.dtypes.compute);
      once_per_step("gather_weights", Pass::forward, {Collective::all_gather, RankGroup::data_shard, weights});
    }
    const Bytes gradients = whole_ * bytes_per_element(job_.dtypes.reduction);
    if (sharding_.accumulation != UnshardedAccumulation::none) {
      once_per_step("reduce_gradients", Pass::backward, {Collective::reduce_scatter, RankGroup::data_shard, gradients});
    }
    if (sharding_.reduces_every_micro_batch) {
      return;
    }
    if (layout_.zero_stage >= 1 && sharding_.shards.states > 1) {
      once_per_step("reduce_gradients", Pass::backward, {Collective::reduce_scatter, RankGroup::data_shard, gradients});
      if (sharding_.shards.weights <= 1) {
        const Bytes weights = whole_ * bytes_per_element(job_.dtypes.compute);
        once_per_step("gather_parameters", Pass::forward, {Collective::all_gather, RankGroup::data_shard, weights});
      }
    } else if (layout_.dp_shard * layout_.context_parallel > 1) {
      once_per_step("reduce_gradients", Pass::backward, {Collective::all_reduce, RankGroup::data_shard, gradients});
    }
  }

  void add_replica_reduction() {
    if (layout_.dp_replicate > 1) {
      const Bytes message = stage_.trained_elements * bytes_per_element(job_.dtypes.reduction);
      once_per_step("reduce_replicas", Pass::backward, {Collective::all_reduce, RankGroup::data_replicate, message});
    }
  }

  /// Bytes of one trained weight as the update writes it.
  double weight_bytes() const {
    return bytes_per_element(job_.dtypes.master_weights ? Dtype::fp32
                             : adapters_                ? job_.dtypes.adapter
                                                        : job_.dtypes.weights) /
           kByte;
  }

  void add_update_on_device() {
    const double gradient = bytes_per_element(job_.dtypes.gradients) / kByte;
    const Bytes traffic{stage_.trained_elements * (2.0 * state_bytes_ + 2.0 * weight_bytes() + gradient)};
    update_.ops.add({.name = "optimizer_update", .pass = Pass::optimizer, .work = MemoryWork{traffic, false}});
  }

  std::optional<Tensor> temporary() const {
    Bytes bytes;
    if (job_.optimizer_implementation == OptimizerImplementation::foreach && job_.optimizer == Optimizer::adamw) {
      bytes = Bytes{stage_.trained_elements * weight_bytes()};
    }
    const bool flat = sharding_.style == DataParallelStyle::zero;
    if (flat && layout_.zero_stage >= 1 && !adapters_) {
      const double copies = std::max(rules_.partition_copy_bytes, bytes_per_element(Dtype::fp32) / kByte);
      const bool in_groups = layout_.zero_stage == 3 && rules_.update_group_elements > 0;
      const double at_once =
          in_groups ? std::min(stage_.trained_elements, rules_.update_group_elements) : stage_.trained_elements;
      bytes = Bytes{at_once * copies};  // fp32 gradients of the partition
    }
    if (rules_.reduction_copies_accumulator && sharding_.resident_gradients && layout_.data_parallel() > 1) {
      bytes = std::max(bytes, whole_ * bytes_per_element(job_.dtypes.gradients));
    }
    if (!(bytes > Bytes{}) || sharding_.in_backward || offloads_optimizer(job_.offload)) {
      return std::nullopt;
    }
    const auto last = static_cast<std::int16_t>(update_.ops.all().size() - 1);
    return Tensor{.name = "optimizer_temporary",
                  .bytes = bytes,
                  .category = Category::temporary,
                  // One flat buffer: no cached block of activations is large enough for it.
                  .pool = flat ? Pool::communication : Pool::compute,
                  .born = last,
                  .freed = last};
  }

  /// Gradients down and weights up for an update on the host, weights up for every pass, activations down and up. What
  /// lives on NVMe passes host memory on its way.
  void add_offload_traffic() {
    const auto passes = static_cast<double>(context_.micro_batches);
    if (offloads_optimizer(job_.offload)) {
      const Bytes gradients = stage_.trained_elements * bytes_per_element(job_.dtypes.gradients);
      const Bytes weights = stage_.trained_elements * bytes_per_element(job_.dtypes.compute);
      copy("offload_update", MemoryPlace::host, gradients + weights);
      // States and master weights are read and written at the pace of what holds them.
      copy("host_update",
           place_of(job_.offload_to),
           Bytes{2.0 * stage_.trained_elements * (state_bytes_ + bytes_per_element(Dtype::fp32) / kByte)});
    }
    if (offloads_weights(job_.offload)) {
      const Bytes shard = on_one_rank(stored_weights_of(stage_.elements, job_), sharding_.shards);
      copy("stream_weights", place_of(job_.offload_to), (sharding_.reshards ? 2.0 : 1.0) * passes * shard);
    }
    if (offloads_activations(job_.offload)) {
      copy("offload_activations", MemoryPlace::host, 2.0 * passes * offloaded_activations(context_, stage_));
    }
  }

  void copy(Name name, MemoryPlace place, Bytes bytes) {
    update_.ops.add({.name = name,
                     .pass = Pass::optimizer,
                     .stream = Stream::host,
                     .work = HostWork{bytes, place == MemoryPlace::nvme}});
  }

  void once_per_step(Name name, Pass pass, CollectiveWork work) {
    update_.ops.add({.name = name, .pass = pass, .stream = Stream::data_communication, .work = work});
  }

  const ResolvedJob& job_;
  const ParallelLayout& layout_;
  const ShardingRules& rules_;
  const Sharding& sharding_;
  const LoweringContext& context_;
  const StageContents& stage_;
  bool adapters_;
  double whole_;  // elements that train, before sharding
  double state_bytes_;
  Update update_;
};

}  // namespace

Update update_of(const LoweringContext& context, const StageContents& stage) {
  return StageUpdate(context, stage).update();
}

}  // namespace mekiki
