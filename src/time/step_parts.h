// step_parts(): the step that step_time() predicts, taken apart: which op takes how long how often.
#pragma once

#include <cstdint>
#include <vector>

#include "time/step_time.h"

namespace mekiki {

/// What a part is made of.
enum class StepPartKind : std::uint8_t {
  op,                  // an op of a segment, repeated
  launch_wait,         // the device waits for the host to launch a segment's kernels
  gathers_beside,      // gathers and reductions of a segment that outlast it or slow it down
  pipeline_bubble,     // filling and draining
  pipeline_hand_over,  // first and last hand-overs
  pipeline_sends,      // hand-overs of every micro-batch that are waited for
  reduction_exposed,   // once-per-step reductions and gathers beyond what hides them
  reduction_slowdown,  // of the compute that hides them
  step_overhead,       // fixed, per step
  data_loading,        // what loaders take beyond the step
  stragglers           // share of the step per doubling of nodes
};
template <>
struct EnumNames<StepPartKind> {
  static constexpr std::array<std::string_view, 11> value = {"op",
                                                             "launch_wait",
                                                             "gathers_beside",
                                                             "pipeline_bubble",
                                                             "pipeline_hand_over",
                                                             "pipeline_sends",
                                                             "reduction_exposed",
                                                             "reduction_slowdown",
                                                             "step_overhead",
                                                             "data_loading",
                                                             "stragglers"};
};

struct StepPart {
  TimeCause cause = TimeCause::other;
  StepPartKind kind = StepPartKind::op;
  Name op;  // of kind op
  Pass pass = Pass::forward;
  SegmentKind segment = SegmentKind::layer_forward;
  std::int16_t layer_kind = -1;
  Work work;     // of kind op
  Seconds once;  // one repetition
  double times = 1;

  Seconds total() const { return times * once; }
};

/// The parts add up to the causes of step_time() with the same arguments, op by op on the slowest stage; equal parts
/// are one with their repetitions. In no order.
std::vector<StepPart> step_parts(const StepProgram& program,
                                 const ResolvedJob& job,
                                 const Profile& profile,
                                 const GpuRates& rates,
                                 const ClusterView& cluster);

}  // namespace mekiki
