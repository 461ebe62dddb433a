#include "time/step_time.h"

#include <algorithm>
#include <cmath>

#include "time/collective_time.h"
#include "time/kernel_time.h"

namespace mekiki {
namespace {

using Causes = std::array<Seconds, kTimeCauses>;

Seconds& at(Causes& causes, TimeCause cause) {
  return causes[static_cast<std::size_t>(cause)];
}
Seconds get(const Causes& causes, TimeCause cause) {
  return causes[static_cast<std::size_t>(cause)];
}

/// One direction of the link between a GPU and its host's memory.
BytesPerSecond host_link(const GpuRates& rates) {
  const std::optional<BytesPerSecond> both = rates.gpu->host_link_bandwidth;
  return both ? 0.5 * *both : rates.rules.host_bridge;
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

class StepTimer {
 public:
  StepTimer(const StepProgram& program,
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

  /// Of the shared units alone.
  std::vector<SegmentTime> unit_times() && {
    segments_.resize(program_.units != nullptr ? program_.units->segments.size() : 0);
    return std::move(segments_);
  }

  TimeReport run() {
    TimeReport report;
    Seconds slowest;
    Causes slowest_causes{};
    Seconds stages_total;
    Flops model, hardware;
    const auto stages = static_cast<double>(program_.layout.pipeline_parallel);
    for (const StageProgram& stage : program_.stages) {
      const Causes causes = micro_batch(stage);
      const Seconds whole = sum(causes);
      const double stands_for = stands_for_stages(stage);
      stages_total += stands_for * whole;
      model += stands_for * flops(stage, false);
      hardware += stands_for * flops(stage, true);
      if (whole > slowest) {
        slowest = whole;
        slowest_causes = causes;
      }
    }
    const auto micro_batches = static_cast<double>(program_.micro_batches);
    Causes step{};
    for (std::size_t c = 0; c < kTimeCauses; ++c) {
      step[c] = micro_batches * slowest_causes[c];
    }
    if (stages > 1) {
      const double chunks = static_cast<double>(program_.layout.virtual_pipeline);
      const GroupShape& pipeline = program_.groups[static_cast<std::size_t>(RankGroup::pipeline)];
      const Seconds send = send_time(program_.pipeline_message, pipeline, rates_, cluster_);
      const double exposed_sends =
          chunks > 1 ? rates_.rules.interleaved_send_exposed * chunks : rates_.rules.plain_send_exposed;
      at(step, TimeCause::pipeline) = (stages - 1.0) / chunks * (stages_total / stages) + 2.0 * (stages - 1.0) * send +
                                      2.0 * micro_batches * exposed_sends * send;
    }
    once_per_step(slowest, step);
    at(step, TimeCause::other) = time_.step_overhead;
    const double nodes =
        std::max(1.0, static_cast<double>(program_.layout.world_size()) / static_cast<double>(cluster_.gpus_per_node));
    at(step, TimeCause::other) += sum(step) * (rates_.rules.stragglers_per_doubling * std::log2(nodes));
    fill(report, step, model * micro_batches, hardware * micro_batches);
    return report;
  }

 private:
  static Seconds sum(const Causes& causes) {
    Seconds total;
    for (const Seconds s : causes) {
      total += s;
    }
    return total;
  }

  SegmentTime time_of(const Segment& segment) const {
    SegmentTime t;
    for (const StepOp& op : program_.ops_of(segment)) {
      if (const auto* gemm = std::get_if<GemmWork>(&op.work)) {
        at(t.device, TimeCause::gemm) += clock_.gemm(*gemm, op.pass) / software_;
      } else if (const auto* attention = std::get_if<AttentionWork>(&op.work)) {
        at(t.device, TimeCause::attention) += attention_time(*attention, op.pass, rates_) / software_;
      } else if (const auto* memory = std::get_if<MemoryWork>(&op.work)) {
        const double factor = memory->fusible ? traffic_ : 1.0;
        const TimeCause cause = segment.kind == SegmentKind::optimizer ? TimeCause::optimizer : TimeCause::memory_bound;
        at(t.device, cause) += memory_time(factor * memory->traffic, rates_);
      } else if (const auto* collective = std::get_if<CollectiveWork>(&op.work)) {
        const Seconds seconds = collective_time(
            *collective, program_.groups[static_cast<std::size_t>(collective->group)], rates_, cluster_);
        if (op.stream == Stream::data_communication) {
          t.data_traffic += seconds;
        } else {
          at(t.device, TimeCause::tensor_communication) += exposed_tensor(seconds, *collective);
        }
      }
      if (const auto* host = std::get_if<HostWork>(&op.work)) {
        at(t.device, TimeCause::other) += host->bytes / host_link(rates_);
      }
      t.extra_kernels += static_cast<double>(op.extra_kernels);
      const Flops flops = flops_of(op);
      (op.pass == Pass::recompute ? t.recompute : t.forward_and_backward) += flops;
      t.recomputes = t.recomputes || op.pass == Pass::recompute;
    }
    return t;
  }

  /// Hidden tensor-parallel traffic still takes compute units from the kernels beside it.
  Seconds exposed_tensor(Seconds whole, const CollectiveWork& work) const {
    const double overlap = work.group == RankGroup::tensor ? time_.tensor_parallel_overlap : 0.0;
    return whole * (1.0 - overlap + rates_.rules.tensor_overlap_slowdown * overlap);
  }

  Seconds launches(const Segment& segment, const SegmentTime& t) const {
    if (time_.cuda_graphs) {
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

  /// One pass of a segment with its data-parallel traffic beside it.
  void add_run(const SegmentRun& run, Causes& causes) const {
    const Segment& segment = program_.segments[static_cast<std::size_t>(run.segment)];
    const SegmentTime& t = segments_[static_cast<std::size_t>(run.segment)];
    const Seconds device = sum(t.device);
    const Seconds busy = std::max(device, launches(segment, t));
    for (std::size_t c = 0; c < kTimeCauses; ++c) {
      causes[c] += run.repeat * t.device[c];
    }
    at(causes, TimeCause::launch) += run.repeat * (busy - device);
    if (t.data_traffic > Seconds{}) {
      // Gathers run beside compute and slow it down; what outlasts it is waited for.
      const Seconds waited = std::max(Seconds{}, t.data_traffic - busy) +
                             rates_.rules.sharded_overlap_slowdown * std::min(busy, t.data_traffic);
      at(causes, TimeCause::data_communication) += run.repeat * waited;
    }
  }

  Causes micro_batch(const StageProgram& stage) const {
    Causes causes{};
    for (const Timeline& timeline : {stage.forward, stage.backward}) {
      for (const TimelinePart& part : program_.parts_of(timeline)) {
        for (const SegmentRun& run : program_.runs_of(part)) {
          add_run(run, causes);
        }
      }
    }
    return causes;
  }

  Flops flops(const StageProgram& stage, bool with_recompute) const {
    Flops total;
    for (const Timeline& timeline : {stage.forward, stage.backward}) {
      for (const TimelinePart& part : program_.parts_of(timeline)) {
        for (const SegmentRun& run : program_.runs_of(part)) {
          const SegmentTime& t = segments_[static_cast<std::size_t>(run.segment)];
          total += run.repeat * (t.forward_and_backward + (with_recompute ? t.recompute : Flops{}));
        }
      }
    }
    return total;
  }

  /// The middle stage is listed once and stands for all between first and last.
  double stands_for_stages(const StageProgram& stage) const {
    const bool middle = !stage.role.has_embedding && !stage.role.has_head;
    return middle ? static_cast<double>(program_.layout.pipeline_parallel - 2) : 1.0;
  }

  void once_per_step(Seconds micro_batch_time, Causes& step) {
    Seconds optimizer, traffic;
    for (const StageProgram& stage : program_.stages) {
      const SegmentTime& t = segments_[static_cast<std::size_t>(stage.optimizer_segment)];
      optimizer = std::max(optimizer, get(t.device, TimeCause::optimizer));
      traffic = std::max(traffic, t.data_traffic);
    }
    at(step, TimeCause::optimizer) = optimizer;
    const double depth = program_.layout.virtual_pipeline > 1
                             ? std::min(static_cast<double>(program_.micro_batches),
                                        static_cast<double>(program_.layout.pipeline_parallel))
                             : 1.0;
    const Seconds window = micro_batch_time * (rates_.rules.reduction_window * depth * time_.data_parallel_overlap);
    const Seconds hidden = std::min(traffic, window);
    at(step, TimeCause::data_communication) += traffic - hidden + rates_.rules.reduction_overlap_slowdown * hidden;
  }

  void fill(TimeReport& report, const Causes& step, Flops model, Flops hardware) const {
    const Seconds total = sum(step);
    report.step_time.mid = total;
    report.causes = step;
    report.tokens_per_step = program_.tokens_per_step;
    report.tokens_per_s = Tokens{program_.tokens_per_step} / total;
    const auto gpus = static_cast<double>(program_.layout.world_size());
    report.tokens_per_s_per_gpu = report.tokens_per_s / gpus;
    // A pipeline's stages share the work of a micro-batch; tensor and context ranks already hold their part.
    const auto pipeline = static_cast<double>(program_.layout.pipeline_parallel);
    report.model_flops_per_gpu = model / pipeline / total;
    const Dtype format = job_.precision == Precision::fp8     ? Dtype::fp8
                         : job_.precision == Precision::mxfp8 ? Dtype::mxfp8
                         : job_.precision == Precision::nvfp4 ? Dtype::nvfp4
                                                              : job_.dtypes.compute;
    if (const auto peak = dense_peak(*rates_.gpu, format)) {
      report.mfu = report.model_flops_per_gpu / *peak;
      report.hfu = hardware / pipeline / total / *peak;
    }
  }

  const StepProgram& program_;
  const ResolvedJob& job_;
  const TimeProfile& time_;
  KernelClock& clock_;
  const GpuRates& rates_;
  const ClusterView& cluster_;
  double software_ = 1.0;
  double traffic_ = 1.0;
  std::vector<SegmentTime> segments_;
};

}  // namespace

TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const KnownTimes& known,
                     const ClusterView& cluster,
                     InputQuality inputs) {
  TimeReport report = StepTimer(program, job, profile, known, cluster).run();
  const bool network_matters = program.layout.world_size() > cluster.gpus_per_node;
  const bool borrowed = !known.clock->rates().kernels.own_surface || (network_matters && cluster.network_assumed);
  report.band = band_kind(profile, job.method, inputs);
  if (borrowed && report.band != BandKind::generic) {
    report.band = BandKind::borrowed;
  }
  report.step_time = with_band(report.step_time.mid, profile.time.bands[report.band], Basis::fitted);
  return report;
}

TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const GpuRates& rates,
                     const ClusterView& cluster,
                     InputQuality inputs) {
  KernelClock clock(rates);
  return step_time(program, job, profile, KnownTimes{.clock = &clock}, cluster, inputs);
}

std::vector<SegmentTime> unit_times(const StepProgram& program,
                                    const ResolvedJob& job,
                                    const Profile& profile,
                                    KernelClock& clock,
                                    const ClusterView& cluster) {
  return StepTimer(program, job, profile, {.clock = &clock}, cluster).unit_times();
}

}  // namespace mekiki
