#include "program/units.h"

#include <bit>
#include <utility>

#include "program/layer_graph.h"

namespace mekiki {
namespace {

KeepPolicy keep_policy(ActivationRecompute recompute) {
  switch (recompute) {
    case ActivationRecompute::none:
      return KeepPolicy::all_saved;
    case ActivationRecompute::selective:
      return KeepPolicy::policy;
    case ActivationRecompute::full:
    case ActivationRecompute::every_k:
      return KeepPolicy::input_only;
  }
  return KeepPolicy::all_saved;
}

/// What a layer keeps for backward leaves the device at its end and is back when its backward starts. Returns its size.
Bytes move_activations(StepProgram& program, const LayerSegments& layer) {
  Bytes moved;
  const auto tensors_of = [&](std::int32_t id) {
    const Segment& s = program.segments[static_cast<std::size_t>(id)];
    return std::span(program.tensors)
        .subspan(static_cast<std::size_t>(s.first_tensor), static_cast<std::size_t>(s.tensor_count));
  };
  const auto last = static_cast<std::int16_t>(program.segments[static_cast<std::size_t>(layer.forward)].op_count - 1);
  for (Tensor& tensor : tensors_of(layer.forward)) {
    if (tensor.lifetime == Lifetime::kept) {
      moved += tensor.bytes;
      tensor.lifetime = Lifetime::within;
      tensor.freed = std::max<std::int16_t>(last, tensor.born);
    }
  }
  for (Tensor& tensor : tensors_of(layer.backward)) {
    if (tensor.lifetime == Lifetime::released) {
      tensor.lifetime = Lifetime::within;
      tensor.born = 0;
    }
  }
  return moved;
}

/// A tied head on the embedding's own stage has no matrix of its own.
bool head_shares_embedding(const PreparedModel& model, const ParallelLayout& layout) {
  return model.tied && layout.pipeline_parallel == 1;
}

class UnitLowering {
 public:
  UnitLowering(const PreparedModel& model,
               const ResolvedJob& job,
               const ParallelLayout& layout,
               const Profile& profile,
               Detail detail)
      : model_(model),
        job_(job),
        layout_(layout),
        profile_(profile),
        sharding_(sharding_of(job, layout, profile)),
        detail_(detail) {
    context_ = {.model = &model,
                .job = &job,
                .profile = &profile,
                .layout = layout,
                .micro_batch_size = static_cast<double>(job.micro_batch_size),
                .weight_gradient = sharding_.weight_gradient,
                .adds_to_buffer = sharding_.resident_gradients};
  }

  Units run() {
    // Room for the usual layer; a wider one grows once.
    units_.program.ops.reserve(detail_ == Detail::full ? 192 : 112);
    units_.program.tensors.reserve(detail_ == Detail::full ? 320 : 176);
    units_.program.segments.reserve(16);
    layers();
    embedding_and_head();
    return std::move(units_);
  }

 private:
  std::int32_t keep(Segment segment, std::int16_t layer_kind = -1) {
    segment.layer_kind = layer_kind;
    units_.program.segments.push_back(segment);
    return static_cast<std::int32_t>(units_.program.segments.size()) - 1;
  }

  void layers() {
    const KeepPolicy policy = keep_policy(job_.activation_recompute);
    StepProgram& program = units_.program;
    for (std::size_t kind = 0; kind < model_.layers.size(); ++kind) {
      const LayerGraph graph = graph_of_layer(model_.layers[kind], context_);
      const ElementSplit elements = layer_elements(model_.layers[kind], layout_);
      const GatheredWeights weights = gathered_weights(elements, job_, sharding_);
      const auto id = static_cast<std::int16_t>(kind);
      LayerSegments segments;
      segments.forward = keep(graph.emit_forward(SegmentKind::layer_forward, policy, weights, program), id);
      segments.backward = keep(graph.emit_backward(SegmentKind::layer_backward, policy, weights, program), id);
      if (job_.activation_recompute == ActivationRecompute::every_k) {
        constexpr KeepPolicy kAll = KeepPolicy::all_saved;
        segments.plain_forward = keep(graph.emit_forward(SegmentKind::layer_forward, kAll, weights, program), id);
        segments.plain_backward = keep(graph.emit_backward(SegmentKind::layer_backward, kAll, weights, program), id);
      }
      if (detail_ == Detail::full) {
        segments.evaluation = keep(graph.emit_evaluation(SegmentKind::layer_evaluation, weights, program), id);
      }
      units_.offloaded_activations.push_back(offloads_activations(job_, profile_) ? move_activations(program, segments)
                                                                                  : Bytes{});
      units_.layers.push_back(segments);
      units_.layer_elements.push_back(elements);
    }
  }

  void embedding_and_head() {
    StepProgram& program = units_.program;
    const double rows = vocabulary_rows(context_);
    units_.embedding = embedding_elements(model_, rows);
    units_.head = head_elements(model_, rows, head_shares_embedding(model_, layout_));
    const LayerGraph embedding = graph_of_embedding(context_);
    const GatheredWeights embedding_weights = root_weights(units_.embedding);
    units_.embedding_forward = keep(
        embedding.emit_forward(SegmentKind::embedding_forward, KeepPolicy::input_only, embedding_weights, program));
    units_.embedding_backward = keep(
        embedding.emit_backward(SegmentKind::embedding_backward, KeepPolicy::input_only, embedding_weights, program));
    const LayerGraph head = graph_of_head(context_);
    const GatheredWeights head_weights = root_weights(head_elements(model_, rows, false));
    units_.head_segment = keep(head.emit_forward_backward(SegmentKind::head, head_weights, program));
    if (detail_ == Detail::full) {
      units_.head_evaluation = keep(head.emit_evaluation(SegmentKind::head_evaluation, head_weights, program));
    }
  }

  /// Embedding and head: where they stay gathered for the whole step they are residents, not part of the segment.
  GatheredWeights root_weights(const ElementSplit& elements) const {
    GatheredWeights weights = gathered_weights(elements, job_, sharding_);
    weights.forward = weights.forward / 2.0;  // nothing else of its size is fetched ahead
    weights.backward = weights.backward / 2.0;
    if (profile_.memory.sharding.root_stays_gathered) {
      weights.forward = weights.backward = Bytes{};
      weights.gather_in_backward = false;
    }
    return weights;
  }

  const PreparedModel& model_;
  const ResolvedJob& job_;
  const ParallelLayout& layout_;
  const Profile& profile_;
  Sharding sharding_;
  Detail detail_;
  GraphContext context_;
  Units units_;
};

}  // namespace

bool offloads_activations(const ResolvedJob& job, const Profile& profile) {
  const bool only_inputs =
      profile.memory.checkpoint_inputs_offloaded && job.activation_recompute == ActivationRecompute::full;
  return only_inputs || offloads_activations(job.offload);
}

UnitKey unit_key(const PreparedModel& model,
                 const ResolvedJob& job,
                 const ParallelLayout& layout,
                 const Sharding& sharding) {
  const ShardCounts& shards = sharding.shards;
  const bool reduces = sharding.reduces_every_micro_batch;
  return {.counts = {layout.tensor_parallel * 2 + (layout.sequence_parallel ? 1 : 0),
                     layout.context_parallel,
                     layout.expert_parallel,
                     layout.expert_tensor_parallel,
                     sharding.reshards ? 1 : 0,
                     head_shares_embedding(model, layout) ? 1 : 0,
                     job.micro_batch_size,
                     static_cast<std::int64_t>(job.activation_recompute),
                     static_cast<std::int64_t>(sharding.weight_gradient) * 16 +
                         static_cast<std::int64_t>(sharding.accumulation) * 4 + (sharding.gathers_once ? 2 : 0) +
                         (reduces ? 1 : 0)},
          .shards = {shards.weights,
                     shards.expert_weights,
                     reduces ? shards.gradients : 1.0,
                     reduces ? shards.expert_gradients : 1.0}};
}

std::size_t UnitKeyHash::operator()(const UnitKey& key) const {
  constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15ULL;
  std::uint64_t hash = 0;
  for (const std::int64_t count : key.counts) {
    hash = (hash ^ static_cast<std::uint64_t>(count)) * kMultiplier;
    hash ^= hash >> 29U;
  }
  for (const double share : key.shards) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(share)) * kMultiplier;
    hash ^= hash >> 29U;
  }
  return static_cast<std::size_t>(hash);
}

Units lower_units(const PreparedModel& model,
                  const ResolvedJob& job,
                  const ParallelLayout& layout,
                  const Profile& profile,
                  Detail detail) {
  return UnitLowering(model, job, layout, profile, detail).run();
}

}  // namespace mekiki
