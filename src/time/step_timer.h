// StepTimer: composes a step from the times of its ops. What step_time() and step_parts() share; others include those.
#pragma once

#include <vector>

#include "time/pipeline_walk.h"
#include "time/step_parts.h"
#include "time/step_time.h"

namespace mekiki {

class StepTimer {
 public:
  using Causes = std::array<Seconds, kTimeCauses>;

  StepTimer(const StepProgram& program,
            const ResolvedJob& job,
            const Profile& profile,
            const KnownTimes& known,
            const ClusterView& cluster);

  /// Of the shared units alone.
  std::vector<SegmentTime> unit_times() &&;

  TimeReport run(PipelineTiming timing = PipelineTiming::walk) const;

  /// The same step, taken apart.
  std::vector<StepPart> parts() const;

 private:
  struct OpTime {
    TimeCause cause = TimeCause::other;
    Seconds seconds;
    bool beside = false;  // gathers and reductions that may hide behind the device
  };

  /// What one run of a segment adds to its ops.
  struct RunTime {
    Seconds launch, waited;
  };

  /// One micro-batch over the stages.
  struct MicroBatch {
    const StageProgram* slowest = nullptr;
    Seconds slowest_time;
    Causes causes{};  // of the slowest stage
    Flops model, hardware;
  };

  /// What waits beyond the slowest stage's own passes.
  struct Pipeline {
    Seconds bubble, hand_over, exposed_sends;
    Seconds total() const { return bubble + hand_over + exposed_sends; }
  };

  struct OncePerStep {
    Seconds optimizer, host_copies, traffic, hidden, slowdown;
    const StageProgram* optimizer_stage = nullptr;
    const StageProgram* host_stage = nullptr;
    Seconds reduction() const { return traffic - hidden + slowdown; }
  };

  /// Of a stage's forward or backward pass of one micro-batch.
  template <class Each>
  void for_each_run(const Timeline& timeline, const Each& each) const {
    for (const TimelinePart& part : program_.parts_of(timeline)) {
      for (const SegmentRun& run : program_.runs_of(part)) {
        each(run);
      }
    }
  }

  OpTime time_of(const StepOp& op, SegmentKind kind) const;
  SegmentTime time_of(const Segment& segment) const;
  Seconds exposed_tensor(Seconds whole, const CollectiveWork& work) const;
  Seconds launches(const Segment& segment, const SegmentTime& t) const;
  RunTime beside(const SegmentRun& run) const;
  void add_run(const SegmentRun& run, Causes& causes) const;
  Causes micro_batch(const StageProgram& stage) const;
  Flops flops(const StageProgram& stage, bool with_recompute) const;
  double stands_for_stages(const StageProgram& stage) const;
  MicroBatch slowest_micro_batch() const;
  Seconds time_of(const SegmentRun& run) const;
  std::vector<ChunkTime> chunk_times(const StageProgram& stage) const;
  std::vector<ChunkTime> chunk_times_of_all() const;
  Pipeline pipeline(const MicroBatch& one, PipelineTiming timing) const;
  OncePerStep once_per_step(Seconds micro_batch_time) const;
  double straggler_share() const;
  Seconds loader_stall(Seconds step) const;
  void add_run_parts(const SegmentRun& run, std::vector<StepPart>& parts) const;
  void add_optimizer_parts(const StageProgram& stage, TimeCause cause, std::vector<StepPart>& parts) const;
  TimeReport report(const Causes& step, Flops model, Flops hardware) const;
  const SegmentTime& of(const SegmentRun& run) const { return segments_[static_cast<std::size_t>(run.segment)]; }

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

}  // namespace mekiki
