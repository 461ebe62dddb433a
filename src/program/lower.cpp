#include "program/lower.h"

#include <algorithm>
#include <cmath>

#include "program/layer_graph.h"
#include "program/lowering_context.h"
#include "program/residents.h"
#include "program/sharding.h"
#include "program/stage_weights.h"
#include "program/update.h"

namespace mekiki {
namespace {

/// Sequences of one micro-batch a stage holds activations of, in units of its whole depth. Zero-bubble schedules put
/// products for weight gradients off, so that every stage holds as much as the first.
/// Sources: arXiv 2104.04473, section 2.2 (1F1B, interleaved); arXiv 1811.06965 (all at once); arXiv 2401.10241,
/// section 2.3, and arXiv 2405.15362, section 4 (zero bubble: the peak of the first stage of 1F1B).
double micro_batches_in_flight(const ResolvedJob& job,
                               const ParallelLayout& layout,
                               std::int64_t stage,
                               std::int64_t micro_batches) {
  const auto all = static_cast<double>(micro_batches);
  const auto stages = static_cast<double>(layout.pipeline_parallel);
  const auto chunks = static_cast<double>(layout.virtual_pipeline);
  if (job.pipeline_schedule == PipelineSchedule::gpipe) {
    return all;
  }
  const double behind =
      stages - (delays_weight_gradients(job.pipeline_schedule) ? 0.0 : static_cast<double>(stage)) - 1.0;
  const bool interleaved = chunks > 1 && job.pipeline_schedule != PipelineSchedule::zero_bubble_v;
  const double warm_up = interleaved ? (2.0 * behind + (chunks - 1.0) * stages + 1.0) / chunks : behind + 1.0;
  return std::min(warm_up, all);
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
    StageContents contents{.role = sp.role, .layers = layers.runs, .elements = layers.elements};
    if (sp.role.has_embedding) {
      add(contents.root, units_->embedding, 1);
    }
    if (sp.role.has_head) {
      add(contents.root, units_->head, 1);
    }
    add(contents.elements, contents.root, 1);
    const ElementSplit& elements = contents.elements;
    contents.micro_batches_in_flight = micro_batches_in_flight(job_, layout_, stage, program_.micro_batches);
    contents.trained_elements = trained_on_one_rank(elements, model_, job_, sharding_.shards);
    sp.micro_batches_in_flight = contents.micro_batches_in_flight;
    sp.stored_elements = elements.total() + elements.adapter;
    sp.trained_elements = contents.trained_elements;
    const LoweringContext context{model_, job_, layout_, profile_, sharding_, *units_, program_.micro_batches};
    const ResidentList residents = residents_of(context, contents);
    sp.first_resident = static_cast<std::int32_t>(program_.residents.size());
    program_.residents.insert(program_.residents.end(), residents.all().begin(), residents.all().end());
    sp.resident_count = static_cast<std::int32_t>(residents.all().size());
    sp.optimizer_segment = keep_update(update_of(context, contents));
    add_timelines(layers.runs, sp);
    program_.stages.push_back(sp);
  }

  std::int32_t keep_update(const Update& update) {
    Segment segment{.kind = SegmentKind::optimizer};
    segment.first_op = static_cast<std::int32_t>(program_.ops.size());
    segment.first_tensor = static_cast<std::int32_t>(program_.tensors.size());
    program_.ops.insert(program_.ops.end(), update.ops.all().begin(), update.ops.all().end());
    segment.op_count = static_cast<std::int32_t>(program_.ops.size()) - segment.first_op;
    if (update.temporary) {
      program_.tensors.push_back(*update.temporary);
      segment.tensor_count = 1;
    }
    program_.segments.push_back(segment);
    return static_cast<std::int32_t>(program_.segments.size()) - 1;
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
