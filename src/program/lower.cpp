#include "program/lower.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "program/layer_graph.h"
#include "program/sharding.h"
#include "program/stage_weights.h"

namespace mekiki {
namespace {

constexpr std::uint8_t kAllPhases = 0x7f;
constexpr std::uint8_t kStepPhases =
    phase_bit(PhaseKind::first_step) | phase_bit(PhaseKind::later_micro_batches) | phase_bit(PhaseKind::evaluation);
constexpr std::uint8_t kAfterFirstStep = phase_bit(PhaseKind::later_micro_batches) | phase_bit(PhaseKind::optimizer) |
                                         phase_bit(PhaseKind::evaluation) | phase_bit(PhaseKind::save) |
                                         phase_bit(PhaseKind::resume);

/// Sequences of one micro-batch a stage holds activations of, in units of its whole depth.
/// Sources: arXiv 2104.04473, sections 2.2 (1F1B, interleaved); arXiv 1811.06965 (all at once).
double micro_batches_in_flight(const ParallelLayout& layout, std::int64_t stage, std::int64_t micro_batches) {
  const auto stages = static_cast<double>(layout.pipeline_parallel);
  const auto chunks = static_cast<double>(layout.virtual_pipeline);
  const double behind = stages - static_cast<double>(stage) - 1.0;
  const double warm_up = chunks > 1 ? (2.0 * behind + (chunks - 1.0) * stages + 1.0) / chunks : behind + 1.0;
  return std::min(warm_up, static_cast<double>(micro_batches));
}

class Lowering {
 public:
  Lowering(const PreparedModel& model,
           const ResolvedJob& job,
           const ParallelLayout& layout,
           const Profile& profile,
           Detail detail)
      : model_(model),
        job_(job),
        layout_(layout),
        profile_(profile),
        sharding_(sharding_of(job, layout, profile)),
        detail_(detail) {}

  /// `shared`: the segments stay where they are; else they become part of the result.
  Result<StepProgram> run(const Units& units, bool shared) {
    units_ = &units;
    if (shared) {
      program_.units = &units.program;
      program_.segments.reserve(units.program.segments.size() + 3);
      program_.segments = units.program.segments;
      for (Segment& segment : program_.segments) {
        segment.of_units = true;
      }
    } else {
      program_ = units.program;
    }
    if (Status status = count_micro_batches(); !status) {
      return fail(status.error());
    }
    program_.runs.reserve(32);
    program_.parts.reserve(24);
    program_.residents.reserve(24);
    program_.stages.reserve(3);
    program_.layout = layout_;
    set_groups();
    for (const std::int64_t stage : distinct_stages()) {
      add_stage(stage);
    }
    return std::move(program_);
  }

 private:
  Status count_micro_batches() {
    const std::int64_t ranks = layout_.data_parallel();
    program_.micro_batches = job_.gradient_accumulation_steps;
    if (job_.global_batch_size) {
      const std::int64_t per_pass = job_.micro_batch_size * ranks;
      if (*job_.global_batch_size % per_pass != 0) {
        return fail({ErrorCode::conflict,
                     "global_batch_size",
                     std::to_string(*job_.global_batch_size) +
                         " is no multiple of micro_batch_size x data_parallel = " + std::to_string(per_pass),
                     "change the batch or the layout"});
      }
      program_.micro_batches = *job_.global_batch_size / per_pass;
    }
    program_.tokens_per_micro_batch = job_.micro_batch_size * job_.sequence_length;
    program_.tokens_per_step =
        static_cast<double>(program_.tokens_per_micro_batch) * static_cast<double>(program_.micro_batches * ranks);
    return {};
  }

  void set_groups() {
    const std::int64_t tensor = layout_.tensor_parallel, context = layout_.context_parallel;
    auto& groups = program_.groups;
    groups[static_cast<std::size_t>(RankGroup::tensor)] = {tensor, 1};
    groups[static_cast<std::size_t>(RankGroup::context)] = {context, tensor};
    groups[static_cast<std::size_t>(RankGroup::expert)] = {layout_.expert_parallel, layout_.expert_tensor_parallel};
    groups[static_cast<std::size_t>(RankGroup::data_shard)] = {layout_.dp_shard * context, tensor};
    groups[static_cast<std::size_t>(RankGroup::data_replicate)] = {layout_.dp_replicate,
                                                                   tensor * context * layout_.dp_shard};
    groups[static_cast<std::size_t>(RankGroup::pipeline)] = {layout_.pipeline_parallel,
                                                             tensor * context * layout_.data_parallel()};
    const GraphContext graph{
        .job = &job_, .layout = layout_, .micro_batch_size = static_cast<double>(job_.micro_batch_size)};
    program_.pipeline_message = graph.tokens_between_blocks() * static_cast<double>(model_.hidden_size) *
                                bytes_per_element(job_.dtypes.compute);
  }

  std::int32_t keep(const Segment& segment) {
    program_.segments.push_back(segment);
    return static_cast<std::int32_t>(program_.segments.size()) - 1;
  }

  // ---- stages
  std::vector<std::int64_t> distinct_stages() const {
    const std::int64_t last = layout_.pipeline_parallel - 1;
    if (last == 0) {
      return {0};
    }
    return last == 1 ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{0, 1, last};
  }

  struct StageLayers {
    std::vector<LayerRun> runs;
    ElementSplit elements;
  };

  StageLayers layers_of(std::int64_t stage) const {
    std::int64_t before = 0;
    for (std::int64_t s = 0; s < stage; ++s) {
      before += layers_of_stage(model_.layer_count, layout_.pipeline_parallel, s);
    }
    std::int64_t skip = before, take = layers_of_stage(model_.layer_count, layout_.pipeline_parallel, stage);
    StageLayers result;
    for (const LayerRun& run : model_.order) {
      const std::int64_t skipped = std::min(skip, run.count);
      skip -= skipped;
      const std::int64_t count = std::min(take, run.count - skipped);
      take -= count;
      if (count > 0) {
        result.runs.push_back({run.kind, count});
        add(result.elements, units_->layer_elements[static_cast<std::size_t>(run.kind)], static_cast<double>(count));
      }
    }
    return result;
  }

  static void add(ElementSplit& sum, const ElementSplit& part, double count) {
    sum.dense += count * part.dense;
    sum.expert += count * part.expert;
    sum.small += count * part.small;
    sum.unquantized += count * part.unquantized;
    sum.adapter += count * part.adapter;
  }

  void add_stage(std::int64_t stage) {
    StageProgram sp;
    sp.role = {stage, stage == 0, stage == layout_.pipeline_parallel - 1};
    const StageLayers layers = layers_of(stage);
    ElementSplit elements = layers.elements;
    ElementSplit root;
    if (sp.role.has_embedding) {
      add(root, units_->embedding, 1);
    }
    if (sp.role.has_head) {
      add(root, units_->head, 1);
    }
    add(elements, root, 1);
    sp.micro_batches_in_flight = micro_batches_in_flight(layout_, stage, program_.micro_batches);
    const bool adapters = trains_adapters_only(job_.method);
    sp.stored_elements = elements.total() + elements.adapter;
    sp.trained_elements =
        model_.optimizer.active_share *
        (adapters ? elements.adapter / sharding_.shards.states
                  : elements.dense / sharding_.shards.states + elements.expert / sharding_.shards.expert_states);
    sp.first_resident = static_cast<std::int32_t>(program_.residents.size());
    add_residents(elements, root, sp);
    const Bytes moved = add_offloaded_activations(layers.runs, sp);
    sp.resident_count = static_cast<std::int32_t>(program_.residents.size()) - sp.first_resident;
    sp.optimizer_segment = keep(optimizer_segment(elements, sp, moved));
    add_timelines(layers.runs, sp);
    program_.stages.push_back(sp);
  }

  void resident(Name name, Category category, Bytes bytes, std::uint8_t phases, bool on_host = false) {
    if (bytes > Bytes{}) {
      program_.residents.push_back({name, category, bytes, phases, on_host});
    }
  }

  void add_residents(const ElementSplit& elements, const ElementSplit& root, const StageProgram& sp) {
    const StoredWeights stored = stored_weights_of(elements, job_, profile_);
    const ShardCounts& shards = sharding_.shards;
    resident("weights",
             Category::weights,
             stored.dense / shards.weights + stored.expert / shards.expert_weights,
             kAllPhases,
             offloads_weights(job_.offload));
    resident("adapters",
             Category::weights,
             elements.adapter * bytes_per_element(job_.dtypes.adapter) / shards.weights,
             kAllPhases,
             offloads_weights(job_.offload));
    const ShardingRules& rules = profile_.memory.sharding;
    if (rules.loads_quantized_whole && rules.style == DataParallelStyle::fsdp2 && shards.weights > 1 &&
        job_.quantization != Quantization::none) {
      resident("unsharded_at_load", Category::weights, stored.dense + stored.expert, phase_bit(PhaseKind::load));
    }
    // A block that trains in 16 bit for a while gets an fp32 copy for that time.
    const bool block_copy = model_.optimizer.block_wise() && job_.dtypes.weights != Dtype::fp32;
    if (job_.dtypes.master_weights || block_copy) {
      resident("master_weights",
               Category::master_weights,
               sp.trained_elements * bytes_per_element(Dtype::fp32),
               kAllPhases,
               offloads_optimizer(job_.offload));
    }
    if (job_.optimizer != Optimizer::adamw_paged_8bit) {
      resident("optimizer_states",
               Category::optimizer_states,
               Bytes{sp.trained_elements * model_.optimizer.bytes_per_element},
               kAfterFirstStep,
               offloads_optimizer(job_.offload));
    }
    add_gradient_residents(elements, sp);
    add_gathered_residents(elements, root, sp);
  }

  bool accumulates() const { return program_.micro_batches > 1; }

  void add_gradient_residents(const ElementSplit& elements, const StageProgram& sp) {
    const Bytes kept = model_.optimizer.block_wise() ? sp.trained_elements * bytes_per_element(job_.dtypes.gradients)
                                                     : kept_gradients(elements, job_, sharding_);
    const std::uint8_t always = kAllPhases & static_cast<std::uint8_t>(~phase_bit(PhaseKind::load));
    const std::uint8_t when =
        sharding_.resident_gradients ? always
        : accumulates()
            ? static_cast<std::uint8_t>(phase_bit(PhaseKind::later_micro_batches) | phase_bit(PhaseKind::optimizer))
            : phase_bit(PhaseKind::optimizer);
    resident("gradients", Category::gradients, kept, when, gradients_on_host());
    if (accumulates()) {
      resident("unsharded_gradients",
               Category::gradients,
               unsharded_gradients(elements, job_, sharding_),
               phase_bit(PhaseKind::later_micro_batches));
    }
    const MemoryProfile& memory = profile_.memory;
    const bool adapters = trains_adapters_only(job_.method);
    if (layout_.data_parallel() > 1 && memory.sharding.gradient_bucket_copy && !sharding_.reduces_every_micro_batch) {
      resident("gradient_buckets", Category::communication, kept, always);
    }
    if (memory.sharding.reduce_bucket_elements > 0 && layout_.data_parallel() > 1 && !adapters) {
      const double trained = elements.total();
      const double copies = layout_.zero_stage >= 1 && layout_.zero_stage <= 2 ? 2.0 : 1.0;
      const double bucket = std::min(copies * memory.sharding.reduce_bucket_elements, 2.0 * trained);
      resident("reduce_buckets",
               Category::communication,
               bucket * bytes_per_element(job_.dtypes.compute),
               kStepPhases | phase_bit(PhaseKind::optimizer));
    }
  }

  /// Sharded gradients follow the states as backward makes them.
  bool gradients_on_host() const {
    return offloads_weights(job_.offload) || (offloads_optimizer(job_.offload) && sharding_.reduces_every_micro_batch);
  }

  /// Two layers' worth of what is kept passes over the device; the rest waits on the host. Returns what one micro-batch
  /// moves there.
  Bytes add_offloaded_activations(std::span<const LayerRun> layers, const StageProgram& sp) {
    Bytes host, largest;
    for (const LayerRun& run : layers) {
      const Bytes moved = units_->offloaded_activations[static_cast<std::size_t>(run.kind)];
      host += static_cast<double>(run.count) * moved;
      largest = std::max(largest, moved);
    }
    resident("offload_buffers", Category::activations, 2.0 * largest, kStepPhases);
    resident("offloaded_activations", Category::activations, sp.micro_batches_in_flight * host, kStepPhases, true);
    return host;
  }

  void add_gathered_residents(const ElementSplit& elements, const ElementSplit& root, const StageProgram& sp) {
    if (sharding_.shards.weights <= 1 && !sharding_.streams_weights) {
      return;
    }
    const MemoryProfile& memory = profile_.memory;
    const auto in_compute = [&](const ElementSplit& e) {
      return job_.quantization == Quantization::none ? e.total() * bytes_per_element(job_.dtypes.compute)
                                                     : stored_weights_of(e, job_, profile_).dense;
    };
    if (!sharding_.reshards) {
      resident("gathered_weights", Category::communication, in_compute(elements), kStepPhases);
    } else if (sharding_.style == DataParallelStyle::zero) {
      double largest = root.dense;
      for (const ElementSplit& layer : units_->layer_elements) {
        largest = std::max(largest, layer.total());
      }
      const double live = std::min(elements.total(), memory.sharding.max_live_parameters + largest);
      resident("live_parameters", Category::communication, live * bytes_per_element(job_.dtypes.compute), kStepPhases);
    } else if (memory.sharding.root_stays_gathered) {
      const bool without_embedding = memory.sharding.embedding_apart && sp.role.has_head && !model_.tied;
      const ElementSplit& kept = without_embedding ? units_->head : root;
      resident("gathered_root", Category::communication, in_compute(kept), kStepPhases);
    }
  }

  /// The update, and what happens once per step over the data-parallel ranks.
  Segment optimizer_segment(const ElementSplit& elements, const StageProgram& sp, Bytes offloaded_activations) {
    Segment segment{.kind = SegmentKind::optimizer};
    segment.first_op = static_cast<std::int32_t>(program_.ops.size());
    segment.first_tensor = static_cast<std::int32_t>(program_.tensors.size());
    const bool adapters = trains_adapters_only(job_.method);
    const double whole = adapters ? elements.adapter : elements.total();
    if (sharding_.gathers_once) {
      const Bytes weights = elements.total() * bytes_per_element(job_.dtypes.compute);
      once_per_step("gather_weights", Pass::forward, {Collective::all_gather, RankGroup::data_shard, weights});
    }
    if (sharding_.accumulation != UnshardedAccumulation::none) {
      const Bytes gradients = whole * bytes_per_element(job_.dtypes.reduction);
      once_per_step("reduce_gradients", Pass::backward, {Collective::reduce_scatter, RankGroup::data_shard, gradients});
    }
    if (!sharding_.reduces_every_micro_batch) {
      const Bytes message = whole * bytes_per_element(job_.dtypes.reduction);
      if (layout_.zero_stage >= 1 && sharding_.shards.states > 1) {
        once_per_step("reduce_gradients", Pass::backward, {Collective::reduce_scatter, RankGroup::data_shard, message});
        if (sharding_.shards.weights <= 1) {
          once_per_step(
              "gather_parameters",
              Pass::forward,
              {Collective::all_gather, RankGroup::data_shard, whole * bytes_per_element(job_.dtypes.compute)});
        }
      } else if (layout_.dp_shard * layout_.context_parallel > 1) {
        once_per_step("reduce_gradients", Pass::backward, {Collective::all_reduce, RankGroup::data_shard, message});
      }
    }
    if (layout_.dp_replicate > 1) {
      const Bytes message = sp.trained_elements * bytes_per_element(job_.dtypes.reduction);
      once_per_step("reduce_replicas", Pass::backward, {Collective::all_reduce, RankGroup::data_replicate, message});
    }
    const double states = model_.optimizer.bytes_per_element;
    const double weight = bytes_per_element(job_.dtypes.master_weights ? Dtype::fp32
                                            : adapters                 ? job_.dtypes.adapter
                                                                       : job_.dtypes.weights) /
                          kByte;
    const double gradient = bytes_per_element(job_.dtypes.gradients) / kByte;
    if (!offloads_optimizer(job_.offload)) {
      program_.ops.push_back(
          {.name = "optimizer_update",
           .pass = Pass::optimizer,
           .work = MemoryWork{Bytes{sp.trained_elements * (2.0 * states + 2.0 * weight + gradient)}, false}});
    }
    Bytes temporary;
    if (job_.optimizer_implementation == OptimizerImplementation::foreach && job_.optimizer == Optimizer::adamw) {
      temporary = Bytes{sp.trained_elements * weight};
    }
    const MemoryProfile& memory = profile_.memory;
    if (sharding_.style == DataParallelStyle::zero && layout_.zero_stage >= 1 && !adapters) {
      const double copies = std::max(memory.sharding.partition_copy_bytes, bytes_per_element(Dtype::fp32) / kByte);
      const bool in_groups = layout_.zero_stage == 3 && memory.sharding.update_group_elements > 0;
      const double at_once =
          in_groups ? std::min(sp.trained_elements, memory.sharding.update_group_elements) : sp.trained_elements;
      temporary = Bytes{at_once * copies};  // fp32 gradients of the partition
    }
    if (memory.sharding.reduction_copies_accumulator && sharding_.resident_gradients && layout_.data_parallel() > 1) {
      temporary = std::max(temporary, whole * bytes_per_element(job_.dtypes.gradients));
    }
    const auto last = static_cast<std::int16_t>(static_cast<std::int32_t>(program_.ops.size()) - segment.first_op - 1);
    add_host_traffic(elements, sp, offloaded_activations);
    if (temporary > Bytes{} && !sharding_.in_backward && !offloads_optimizer(job_.offload)) {
      program_.tensors.push_back(
          {.name = "optimizer_temporary",
           .bytes = temporary,
           .category = Category::temporary,
           // One flat buffer: no cached block of activations is large enough for it.
           .pool = sharding_.style == DataParallelStyle::zero ? Pool::communication : Pool::compute,
           .born = last,
           .freed = last});
    }
    segment.op_count = static_cast<std::int32_t>(program_.ops.size()) - segment.first_op;
    segment.tensor_count = static_cast<std::int32_t>(program_.tensors.size()) - segment.first_tensor;
    return segment;
  }

  /// Copies over the host link in one step: gradients down and weights up for an update on the host, weights up for
  /// every pass, activations down and up. Counted as if nothing hid them.
  void add_host_traffic(const ElementSplit& elements, const StageProgram& sp, Bytes offloaded_activations) {
    const auto passes = static_cast<double>(program_.micro_batches);
    if (offloads_optimizer(job_.offload)) {
      const Bytes gradients = sp.trained_elements * bytes_per_element(job_.dtypes.gradients);
      const Bytes weights = sp.trained_elements * bytes_per_element(job_.dtypes.compute);
      host_copy("offload_update", gradients + weights);
      // The update itself runs at the pace of host memory: states and master weights are read and written.
      host_copy("host_update", Bytes{2.0 * sp.trained_elements * (model_.optimizer.bytes_per_element + 4.0)});
    }
    if (offloads_weights(job_.offload)) {
      const StoredWeights stored = stored_weights_of(elements, job_, profile_);
      const Bytes shard = stored.dense / sharding_.shards.weights + stored.expert / sharding_.shards.expert_weights;
      host_copy("stream_weights", (sharding_.reshards ? 2.0 : 1.0) * passes * shard);
    }
    if (offloads_activations(job_.offload)) {
      host_copy("offload_activations", 2.0 * passes * offloaded_activations);
    }
  }

  void host_copy(Name name, Bytes bytes) {
    program_.ops.push_back({.name = name, .pass = Pass::optimizer, .stream = Stream::host, .work = HostWork{bytes}});
  }

  void once_per_step(Name name, Pass pass, CollectiveWork work) {
    program_.ops.push_back({.name = name, .pass = pass, .stream = Stream::data_communication, .work = work});
  }

  // ---- timelines
  std::int32_t run_count() const { return static_cast<std::int32_t>(program_.runs.size()); }

  void push_run(std::int32_t segment, std::int64_t count) {
    if (count > 0) {
      program_.runs.push_back({segment, static_cast<double>(count)});
    }
  }

  /// Layers of a run that keep everything while others are recomputed. Which ones does not matter to the peak: it
  /// stands where all of them have run.
  std::int64_t plain_layers(const LayerRun& run) const {
    if (job_.activation_recompute != ActivationRecompute::every_k) {
      return 0;
    }
    const double share =
        job_.recompute_layers
            ? std::min(1.0, static_cast<double>(*job_.recompute_layers) / static_cast<double>(model_.layer_count))
            : 1.0 / static_cast<double>(job_.recompute_every);
    const auto recomputed = static_cast<std::int64_t>(std::ceil(static_cast<double>(run.count) * share - 1e-9));
    return run.count - std::min(recomputed, run.count);
  }

  TimelinePart forward_part(std::span<const LayerRun> layers, const StageRole& role, bool evaluation, double repeat) {
    TimelinePart part{.first_run = run_count(), .repeat = repeat};
    if (role.has_embedding) {
      program_.runs.push_back({units_->embedding_forward, 1});
    }
    for (const LayerRun& run : layers) {
      const LayerSegments& s = units_->layers[static_cast<std::size_t>(run.kind)];
      if (evaluation) {
        push_run(s.evaluation, run.count);
      } else {
        push_run(s.plain_forward, plain_layers(run));
        push_run(s.forward, run.count - plain_layers(run));
      }
    }
    part.run_count = run_count() - part.first_run;
    return part;
  }

  TimelinePart head_part(bool evaluation) {
    program_.runs.push_back({evaluation ? units_->head_evaluation : units_->head_segment, 1});
    return {.first_run = run_count() - 1, .run_count = 1, .repeat = 1};
  }

  TimelinePart backward_part(std::span<const LayerRun> layers, const StageRole& role) {
    TimelinePart part{.first_run = run_count(), .repeat = 1};
    for (std::size_t i = layers.size(); i-- > 0;) {
      const LayerSegments& s = units_->layers[static_cast<std::size_t>(layers[i].kind)];
      push_run(s.backward, layers[i].count - plain_layers(layers[i]));
      push_run(s.plain_backward, plain_layers(layers[i]));
    }
    if (role.has_embedding) {
      program_.runs.push_back({units_->embedding_backward, 1});
    }
    part.run_count = run_count() - part.first_run;
    return part;
  }

  Timeline timeline(std::initializer_list<TimelinePart> parts) {
    Timeline t{.first_part = static_cast<std::int32_t>(program_.parts.size())};
    for (const TimelinePart& part : parts) {
      if (part.run_count > 0) {
        program_.parts.push_back(part);
      }
    }
    t.part_count = static_cast<std::int32_t>(program_.parts.size()) - t.first_part;
    return t;
  }

  void add_timelines(std::span<const LayerRun> layers, StageProgram& sp) {
    const TimelinePart one_forward = forward_part(layers, sp.role, false, 1);
    TimelinePart in_flight = one_forward;
    in_flight.repeat = sp.micro_batches_in_flight;
    const TimelinePart head = sp.role.has_head ? head_part(false) : TimelinePart{};
    const TimelinePart backward = backward_part(layers, sp.role);
    const Timeline step = timeline({in_flight, head, backward});
    sp.phases[static_cast<std::size_t>(PhaseKind::first_step)] = step;
    sp.phases[static_cast<std::size_t>(PhaseKind::later_micro_batches)] = step;
    program_.runs.push_back({sp.optimizer_segment, 1});
    sp.phases[static_cast<std::size_t>(PhaseKind::optimizer)] =
        timeline({{.first_run = run_count() - 1, .run_count = 1, .repeat = 1}});
    if (detail_ == Detail::full) {
      const TimelinePart evaluation = forward_part(layers, sp.role, true, 1);
      const TimelinePart head_evaluation = sp.role.has_head ? head_part(true) : TimelinePart{};
      sp.phases[static_cast<std::size_t>(PhaseKind::evaluation)] = timeline({evaluation, head_evaluation});
    }
    sp.forward = timeline({one_forward, head});
    sp.backward = timeline({backward});
  }

  const PreparedModel& model_;
  const ResolvedJob& job_;
  const ParallelLayout& layout_;
  const Profile& profile_;
  Sharding sharding_;
  Detail detail_;
  const Units* units_ = nullptr;
  StepProgram program_;
};

}  // namespace

std::int64_t layers_of_stage(std::int64_t layers, std::int64_t stages, std::int64_t stage) {
  const std::int64_t base = layers / stages, rest = layers % stages;
  // The first and the last stage carry embedding and head, so the extra layers go to those between them, first ones
  // first.
  const std::int64_t place = stage == 0 ? stages - 1 : stage - 1;
  return base + (place < rest ? 1 : 0);
}

Result<StepProgram> lower(const PreparedModel& model,
                          const ResolvedJob& job,
                          const ParallelLayout& layout,
                          const Profile& profile,
                          Detail detail) {
  return Lowering(model, job, layout, profile, detail).run(lower_units(model, job, layout, profile, detail), false);
}

Result<StepProgram> lower(const PreparedModel& model,
                          const ResolvedJob& job,
                          const ParallelLayout& layout,
                          const Profile& profile,
                          const Units& units) {
  return Lowering(model, job, layout, profile, Detail::search).run(units, true);
}

}  // namespace mekiki
