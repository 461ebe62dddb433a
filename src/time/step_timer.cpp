#include "time/step_timer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "time/collective_time.h"
#include "time/kernel_time.h"

namespace mekiki {
namespace {

using Causes = StepTimer::Causes;

Seconds& at(Causes& causes, TimeCause cause) {
  return causes[static_cast<std::size_t>(cause)];
}
Seconds get(const Causes& causes, TimeCause cause) {
  return causes[static_cast<std::size_t>(cause)];
}

Seconds sum(const Causes& causes) {
  Seconds total;
  for (const Seconds s : causes) {
    total += s;
  }
  return total;
}

/// One direction of the link between a GPU and its host's memory.
BytesPerSecond host_link(const GpuRates& rates) {
  const std::optional<BytesPerSecond> both = rates.gpu->host_link_bandwidth;
  return both ? 0.5 * *both : rates.rules.host_bridge;
}

/// So many layers over chunks, the later ones with one more where they do not divide.
std::vector<ChunkTime> spread(const ChunkTime& layers, double count, std::int64_t chunks) {
  const auto whole = static_cast<std::int64_t>(count);
  std::vector<ChunkTime> times;
  times.reserve(static_cast<std::size_t>(chunks));
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::int64_t own = whole / chunks + (chunk >= chunks - whole % chunks ? 1 : 0);
    const double share = count > 0 ? static_cast<double>(own) / count : 0.0;
    times.push_back({share * layers.forward, share * layers.backward, share * layers.weight_gradients});
  }
  return times;
}

/// What libraries of the job's time reached of the rates that they reach now.
double software_share(const ResolvedJob& job, const KernelRates& kernels) {
  constexpr double kMonths = 12.0, kMostYears = 2.0;
  if (!job.era || kernels.software_loss_per_year <= 0) {
    return 1.0;
  }
  const double years = kernels.software_mature_year - static_cast<double>(job.era->months) / kMonths;
  return 1.0 - kernels.software_loss_per_year * std::clamp(years, 0.0, kMostYears);
}

}  // namespace

StepTimer::StepTimer(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const KnownTimes& known,
                     const ClusterView& cluster)
    : program_(program),
      job_(job),
      time_(profile.time),
      clock_(*known.clock),
      rates_(clock_.rates()),
      cluster_(cluster) {
  software_ = software_share(job, rates_.kernels);
  traffic_ = job.compile ? time_.elementwise_traffic_compiled : time_.elementwise_traffic;
  segments_.reserve(program.segments.size());
  segments_.assign(known.units.begin(), known.units.end());
  for (std::size_t i = known.units.size(); i < program.segments.size(); ++i) {
    segments_.push_back(time_of(program.segments[i]));
  }
}

std::vector<SegmentTime> StepTimer::unit_times() && {
  segments_.resize(program_.units != nullptr ? program_.units->segments.size() : 0);
  return std::move(segments_);
}

TimeReport StepTimer::run(PipelineTiming timing) const {
  const MicroBatch one = slowest_micro_batch();
  const auto micro_batches = static_cast<double>(program_.micro_batches);
  Causes step{};
  for (std::size_t c = 0; c < kTimeCauses; ++c) {
    step[c] = micro_batches * one.causes[c];
  }
  at(step, TimeCause::pipeline) += pipeline(one, timing).total();
  const OncePerStep once = once_per_step(one.slowest_time);
  at(step, TimeCause::optimizer) += once.optimizer;
  at(step, TimeCause::data_communication) += once.reduction();
  at(step, TimeCause::other) += time_.step_overhead + once.host_copies;
  at(step, TimeCause::other) += sum(step) * straggler_share();
  at(step, TimeCause::data_loading) += loader_stall(sum(step));
  return report(step, one.model * micro_batches, one.hardware * micro_batches);
}

StepTimer::MicroBatch StepTimer::slowest_micro_batch() const {
  MicroBatch one;
  for (const StageProgram& stage : program_.stages) {
    const Causes causes = micro_batch(stage);
    const Seconds whole = sum(causes);
    const double stands_for = stands_for_stages(stage);
    one.model += stands_for * flops(stage, false);
    one.hardware += stands_for * flops(stage, true);
    if (whole > one.slowest_time) {
      one.slowest = &stage;
      one.slowest_time = whole;
      one.causes = causes;
    }
  }
  return one;
}

StepTimer::OpTime StepTimer::time_of(const StepOp& op, SegmentKind kind) const {
  // An op that a framework leaves in pieces reads and writes its tensor in each of them, so pieces and traffic grow
  // alike.
  const Seconds small = static_cast<double>(op.extra_kernels) * rates_.rules.kernel_start;
  if (const auto* gemm = std::get_if<GemmWork>(&op.work)) {
    return {TimeCause::gemm, clock_.gemm(*gemm, op.pass) / software_ + small};
  }
  if (const auto* attention = std::get_if<AttentionWork>(&op.work)) {
    return {TimeCause::attention, attention_time(*attention, op.pass, rates_) / software_ + small};
  }
  if (const auto* memory = std::get_if<MemoryWork>(&op.work)) {
    const double factor = memory->fusible ? traffic_ : 1.0;
    return {kind == SegmentKind::optimizer ? TimeCause::optimizer : TimeCause::memory_bound,
            memory_time(factor * memory->traffic, rates_) + factor * rates_.rules.kernel_start + small};
  }
  if (const auto* collective = std::get_if<CollectiveWork>(&op.work)) {
    const Seconds seconds =
        collective_time(*collective, program_.groups[static_cast<std::size_t>(collective->group)], rates_, cluster_);
    return op.stream == Stream::data_communication
               ? OpTime{TimeCause::data_communication, seconds, true}
               : OpTime{TimeCause::tensor_communication, exposed_tensor(seconds, *collective)};
  }
  if (const auto* host = std::get_if<HostWork>(&op.work)) {
    const BytesPerSecond link = host_link(rates_);
    return {TimeCause::other, host->bytes / (host->nvme ? std::min(link, rates_.rules.nvme) : link)};
  }
  return {};
}

SegmentTime StepTimer::time_of(const Segment& segment) const {
  SegmentTime t;
  for (const StepOp& op : program_.ops_of(segment)) {
    const OpTime one = time_of(op, segment.kind);
    (one.beside ? t.data_traffic : at(t.device, one.cause)) += one.seconds;
    t.weight_gradients += op.weight_gradient ? one.seconds : Seconds{};
    t.extra_kernels += static_cast<double>(op.extra_kernels);
    (op.pass == Pass::recompute ? t.recompute : t.forward_and_backward) += flops_of(op);
    t.recomputes = t.recomputes || op.pass == Pass::recompute;
  }
  return t;
}

/// Hidden tensor-parallel traffic still takes compute units from the kernels beside it.
Seconds StepTimer::exposed_tensor(Seconds whole, const CollectiveWork& work) const {
  const double overlap = work.group == RankGroup::tensor ? time_.tensor_parallel_overlap : 0.0;
  return whole * (1.0 - overlap + rates_.rules.tensor_overlap_slowdown * overlap);
}

Seconds StepTimer::launches(const Segment& segment, const SegmentTime& t) const {
  if (job_.cuda_graphs) {
    return Seconds{};
  }
  const double factor = rates_.rules.launch_scale * (job_.compile ? time_.launch_compiled_factor : 1.0);
  const bool backward = segment.kind == SegmentKind::layer_backward;
  const Seconds extra = t.extra_kernels / rates_.rules.kernels_per_layer * time_.launch_forward_per_layer;
  if (segment.kind == SegmentKind::layer_forward) {
    return factor * (time_.launch_forward_per_layer + extra);
  }
  if (!backward) {
    return Seconds{};
  }
  const Seconds recompute = t.recomputes ? time_.launch_forward_per_layer : Seconds{};
  return factor * (time_.launch_backward_per_layer + recompute + extra);
}

/// The segment waits for its launches; gathers run beside compute and slow it down, what outlasts it is waited for.
StepTimer::RunTime StepTimer::beside(const SegmentRun& run) const {
  const SegmentTime& t = of(run);
  const Seconds device = sum(t.device);
  const Seconds busy = std::max(device, launches(program_.segments[static_cast<std::size_t>(run.segment)], t));
  RunTime time{.launch = busy - device};
  if (t.data_traffic > Seconds{}) {
    time.waited = std::max(Seconds{}, t.data_traffic - busy) +
                  rates_.rules.sharded_overlap_slowdown * std::min(busy, t.data_traffic);
  }
  return time;
}

void StepTimer::add_run(const SegmentRun& run, Causes& causes) const {
  const SegmentTime& t = of(run);
  for (std::size_t c = 0; c < kTimeCauses; ++c) {
    causes[c] += run.repeat * t.device[c];
  }
  const RunTime time = beside(run);
  at(causes, TimeCause::launch) += run.repeat * time.launch;
  at(causes, TimeCause::data_communication) += run.repeat * time.waited;
}

StepTimer::Causes StepTimer::micro_batch(const StageProgram& stage) const {
  Causes causes{};
  for (const Timeline& timeline : {stage.forward, stage.backward}) {
    for_each_run(timeline, [&](const SegmentRun& run) { add_run(run, causes); });
  }
  return causes;
}

Flops StepTimer::flops(const StageProgram& stage, bool with_recompute) const {
  Flops total;
  for (const Timeline& timeline : {stage.forward, stage.backward}) {
    for_each_run(timeline, [&](const SegmentRun& run) {
      const SegmentTime& t = of(run);
      total += run.repeat * (t.forward_and_backward + (with_recompute ? t.recompute : Flops{}));
    });
  }
  return total;
}

/// The middle stage is listed once and stands for all between first and last.
double StepTimer::stands_for_stages(const StageProgram& stage) const {
  const bool middle = !stage.role.has_embedding && !stage.role.has_head;
  return middle ? static_cast<double>(program_.layout.pipeline_parallel - 2) : 1.0;
}

Seconds StepTimer::time_of(const SegmentRun& run) const {
  const RunTime time = beside(run);
  return run.repeat * (sum(of(run).device) + time.launch + time.waited);
}

/// Layers stay whole: where they do not divide, the chunk with the embedding (the first) or the head (the last) has one
/// less than others.
std::vector<ChunkTime> StepTimer::chunk_times(const StageProgram& stage) const {
  const bool splits = delays_weight_gradients(job_.pipeline_schedule);
  ChunkTime layers, first, last;
  double count = 0;  // of layers
  const auto add = [&](const SegmentRun& run, Seconds ChunkTime::*direction) {
    const SegmentKind kind = program_.segments[static_cast<std::size_t>(run.segment)].kind;
    const bool embeds = kind == SegmentKind::embedding_forward || kind == SegmentKind::embedding_backward;
    ChunkTime& part = embeds ? first : kind == SegmentKind::head ? last : layers;
    const Seconds apart = splits ? run.repeat * of(run).weight_gradients : Seconds{};
    part.*direction += time_of(run) - apart;
    part.weight_gradients += apart;
    count += kind == SegmentKind::layer_forward ? run.repeat : 0.0;
  };
  for_each_run(stage.forward, [&](const SegmentRun& run) { add(run, &ChunkTime::forward); });
  for_each_run(stage.backward, [&](const SegmentRun& run) { add(run, &ChunkTime::backward); });
  std::vector<ChunkTime> times = spread(layers, count, program_.layout.virtual_pipeline);
  if (stage.role.has_head) {
    std::reverse(times.begin(), times.end());
  }
  times.front() += first;
  times.back() += last;
  return times;
}

std::vector<ChunkTime> StepTimer::chunk_times_of_all() const {
  std::vector<ChunkTime> times;
  times.reserve(static_cast<std::size_t>(program_.layout.pipeline_parallel * program_.layout.virtual_pipeline));
  for (const StageProgram& stage : program_.stages) {
    const std::vector<ChunkTime> one = chunk_times(stage);
    for (auto n = static_cast<std::int64_t>(stands_for_stages(stage)); n > 0; --n) {
      times.insert(times.end(), one.begin(), one.end());
    }
  }
  return times;
}

StepTimer::Pipeline StepTimer::pipeline(const MicroBatch& one, PipelineTiming timing) const {
  const ParallelLayout& layout = program_.layout;
  if (layout.pipeline_parallel <= 1) {
    return {};
  }
  const std::vector<ChunkTime> times = chunk_times_of_all();
  const GroupShape& group = program_.groups[static_cast<std::size_t>(RankGroup::pipeline)];
  const Seconds send = send_time(program_.pipeline_message, group, rates_, cluster_);
  const StepRules& rules = rates_.rules;
  const double blocks = layout.virtual_pipeline > 1 ? rules.interleaved_send_exposed : rules.plain_send_exposed;
  const PipelineWork work{.schedule = job_.pipeline_schedule,
                          .stages = layout.pipeline_parallel,
                          .chunks = layout.virtual_pipeline,
                          .micro_batches = program_.micro_batches,
                          .send = send,
                          .send_blocks = blocks * send,
                          .times = times};
  const Seconds whole = timing == PipelineTiming::walk ? walk_pipeline(work) : pipeline_floor(work);
  const auto micro_batches = static_cast<double>(program_.micro_batches);
  const Seconds waits = std::max(Seconds{}, whole - micro_batches * one.slowest_time);
  Pipeline pipeline;
  const double passes = 2.0 * micro_batches * static_cast<double>(layout.virtual_pipeline);
  pipeline.exposed_sends = std::min(waits, passes * work.send_blocks);
  const double ends = 2.0 * static_cast<double>(layout.pipeline_parallel - 1);
  pipeline.hand_over = std::min(waits - pipeline.exposed_sends, ends * send);
  pipeline.bubble = waits - pipeline.exposed_sends - pipeline.hand_over;
  return pipeline;
}

StepTimer::OncePerStep StepTimer::once_per_step(Seconds micro_batch_time) const {
  OncePerStep once;
  for (const StageProgram& stage : program_.stages) {
    const SegmentTime& t = segments_[static_cast<std::size_t>(stage.optimizer_segment)];
    if (get(t.device, TimeCause::optimizer) > once.optimizer) {
      once.optimizer = get(t.device, TimeCause::optimizer);
      once.optimizer_stage = &stage;
    }
    if (get(t.device, TimeCause::other) > once.host_copies) {
      once.host_copies = get(t.device, TimeCause::other);
      once.host_stage = &stage;
    }
    once.traffic = std::max(once.traffic, t.data_traffic);
  }
  const double depth = program_.layout.virtual_pipeline > 1
                           ? std::min(static_cast<double>(program_.micro_batches),
                                      static_cast<double>(program_.layout.pipeline_parallel))
                           : 1.0;
  const Seconds window = micro_batch_time * (rates_.rules.reduction_window * depth * time_.data_parallel_overlap);
  once.hidden = std::min(once.traffic, window);
  once.slowdown = rates_.rules.reduction_overlap_slowdown * once.hidden;
  return once;
}

double StepTimer::straggler_share() const {
  const double nodes =
      std::max(1.0, static_cast<double>(program_.layout.world_size()) / static_cast<double>(cluster_.gpus_per_node));
  return rates_.rules.stragglers_per_doubling * std::log2(nodes);
}

/// Loaders fill while the step runs; what they take beyond it is waited for.
Seconds StepTimer::loader_stall(Seconds step) const {
  if (!job_.data_loader) {
    return Seconds{};
  }
  return std::max(Seconds{}, Tokens{program_.tokens_per_step * job_.real_token_share} / *job_.data_loader - step);
}

TimeReport StepTimer::report(const Causes& step, Flops model, Flops hardware) const {
  TimeReport report;
  const Seconds total = sum(step);
  report.step_time.mid = total;
  report.causes = step;
  report.real_token_share = job_.real_token_share;
  report.tokens_per_step = program_.tokens_per_step * report.real_token_share;
  report.tokens_per_s = Tokens{report.tokens_per_step} / total;
  report.tokens_per_s_per_gpu = report.tokens_per_s / static_cast<double>(program_.layout.world_size());
  // A pipeline's stages share the work of a micro-batch; tensor and context ranks already hold their part.
  const auto pipeline_stages = static_cast<double>(program_.layout.pipeline_parallel);
  report.model_flops_per_gpu = model / pipeline_stages / total;
  if (const auto peak = dense_peak(*rates_.gpu, arithmetic_of(job_))) {
    report.mfu = report.model_flops_per_gpu / *peak;
    report.hfu = hardware / pipeline_stages / total / *peak;
  }
  return report;
}

}  // namespace mekiki
