#include "time/step_parts.h"

#include <algorithm>

#include "time/step_timer.h"

namespace mekiki {
namespace {

bool same(const StepPart& a, const StepPart& b) {
  return a.cause == b.cause && a.kind == b.kind && a.op == b.op && a.pass == b.pass && a.segment == b.segment &&
         a.layer_kind == b.layer_kind && a.once == b.once;
}

/// One more part, or more repetitions of one that is there.
void add(std::vector<StepPart>& parts, const StepPart& part) {
  if (!(part.total() > Seconds{})) {
    return;
  }
  const auto known = std::find_if(parts.begin(), parts.end(), [&](const StepPart& p) { return same(p, part); });
  if (known == parts.end()) {
    parts.push_back(part);
  } else {
    known->times += part.times;
  }
}

}  // namespace

void StepTimer::add_run_parts(const SegmentRun& run, std::vector<StepPart>& parts) const {
  const Segment& segment = program_.segments[static_cast<std::size_t>(run.segment)];
  const double times = run.repeat * static_cast<double>(program_.micro_batches);
  StepPart part{.segment = segment.kind, .layer_kind = segment.layer_kind, .times = times};
  for (const StepOp& op : program_.ops_of(segment)) {
    const OpTime one = time_of(op, segment.kind);
    if (one.beside) {
      continue;  // part of gathers_beside
    }
    part.cause = one.cause;
    part.op = op.name;
    part.pass = op.pass;
    part.work = op.work;
    part.once = one.seconds;
    add(parts, part);
  }
  const RunTime time = beside(run);
  part.op = {};
  part.pass = Pass::forward;
  part.work = std::monostate{};
  part.kind = StepPartKind::launch_wait;
  part.cause = TimeCause::launch;
  part.once = time.launch;
  add(parts, part);
  part.kind = StepPartKind::gathers_beside;
  part.cause = TimeCause::data_communication;
  part.once = time.waited;
  add(parts, part);
}

void StepTimer::add_optimizer_parts(const StageProgram& stage, TimeCause cause, std::vector<StepPart>& parts) const {
  const Segment& segment = program_.segments[static_cast<std::size_t>(stage.optimizer_segment)];
  for (const StepOp& op : program_.ops_of(segment)) {
    const OpTime one = time_of(op, segment.kind);
    if (!one.beside && one.cause == cause) {
      add(parts,
          {.cause = cause,
           .op = op.name,
           .pass = op.pass,
           .segment = segment.kind,
           .work = op.work,
           .once = one.seconds});
    }
  }
}

std::vector<StepPart> StepTimer::parts() const {
  std::vector<StepPart> parts;
  const MicroBatch one = slowest_micro_batch();
  if (one.slowest != nullptr) {
    for (const Timeline& timeline : {one.slowest->forward, one.slowest->backward}) {
      for_each_run(timeline, [&](const SegmentRun& run) { add_run_parts(run, parts); });
    }
  }
  const auto whole = [&](TimeCause cause, StepPartKind kind, Seconds seconds) {
    add(parts, {.cause = cause, .kind = kind, .once = seconds});
  };
  const Pipeline bubble = pipeline(one, PipelineTiming::walk);
  whole(TimeCause::pipeline, StepPartKind::pipeline_bubble, bubble.bubble);
  whole(TimeCause::pipeline, StepPartKind::pipeline_hand_over, bubble.hand_over);
  whole(TimeCause::pipeline, StepPartKind::pipeline_sends, bubble.exposed_sends);
  const OncePerStep once = once_per_step(one.slowest_time);
  whole(TimeCause::data_communication, StepPartKind::reduction_exposed, once.traffic - once.hidden);
  whole(TimeCause::data_communication, StepPartKind::reduction_slowdown, once.slowdown);
  if (once.optimizer_stage != nullptr) {
    add_optimizer_parts(*once.optimizer_stage, TimeCause::optimizer, parts);
  }
  if (once.host_stage != nullptr) {
    add_optimizer_parts(*once.host_stage, TimeCause::other, parts);
  }
  whole(TimeCause::other, StepPartKind::step_overhead, time_.step_overhead);
  Seconds sum;
  for (const StepPart& part : parts) {
    sum += part.total();
  }
  const Seconds stragglers = sum * straggler_share();
  whole(TimeCause::other, StepPartKind::stragglers, stragglers);
  whole(TimeCause::data_loading, StepPartKind::data_loading, loader_stall(sum + stragglers));
  return parts;
}

std::vector<StepPart> step_parts(const StepProgram& program,
                                 const ResolvedJob& job,
                                 const Profile& profile,
                                 const GpuRates& rates,
                                 const ClusterView& cluster) {
  KernelClock clock(rates);
  return StepTimer(program, job, profile, KnownTimes{.clock = &clock}, cluster).parts();
}

}  // namespace mekiki
