#include "search/evaluator.h"

#include <algorithm>
#include <utility>

namespace mekiki {

LayoutEvaluator::LayoutEvaluator(const PreparedModel& model,
                                 const ResolvedJob& job,
                                 const Profile& profile,
                                 const GpuRates& rates)
    : model_(model), job_(job), profile_(profile), clock_(rates) {}

Status LayoutEvaluator::choose(const Candidate& candidate, Detail detail) {
  job_.micro_batch_size = candidate.micro_batch_size;
  job_.activation_recompute = candidate.recompute;
  job_.global_batch_size = candidate.global_batch_size;
  shared_ = detail == Detail::search ? &units_of(candidate.layout) : nullptr;
  Result<StepProgram> program = shared_ != nullptr ? lower(model_, job_, candidate.layout, profile_, shared_->units)
                                                   : lower(model_, job_, candidate.layout, profile_, detail);
  if (!program) {
    return fail(program.error());
  }
  program_ = std::move(*program);
  return {};
}

LayoutEvaluator::SharedUnits& LayoutEvaluator::units_of(const ParallelLayout& layout) {
  constexpr std::size_t kMostUnits = 4096;  // some 12 kB each
  if (units_.size() >= kMostUnits) {
    units_.clear();
  }
  const auto [place, is_new] = units_.try_emplace(unit_key(model_, job_, layout, sharding_of(job_, layout, profile_)));
  SharedUnits& shared = place->second;
  if (is_new) {
    shared.units = lower_units(model_, job_, layout, profile_, Detail::search);
  }
  return shared;
}

PeakBytes LayoutEvaluator::peak() {
  if (shared_ == nullptr) {
    return memory_peak(program_, profile_);
  }
  const GradientMode mode = peak_gradient_mode(program_);
  std::vector<Footprint>& known = shared_->footprints[static_cast<std::size_t>(mode)];
  if (known.empty()) {
    if (shared_->units.program.tensors.empty()) {
      shared_->units = lower_units(model_, job_, program_.layout, profile_, Detail::search);
    }
    known = footprints_of(shared_->units.program, mode);
    std::vector<Tensor>().swap(shared_->units.program.tensors);  // nobody else reads them
  }
  return memory_peak(program_, profile_, known);
}

KnownTimes LayoutEvaluator::known_times(const ClusterView& cluster) {
  KnownTimes known{.clock = &clock_};
  if (shared_ != nullptr) {
    const ClusterView& on = shared_->times_on;
    const bool same = on.link_domain == cluster.link_domain && on.network_per_gpu == cluster.network_per_gpu &&
                      on.gpus_per_node == cluster.gpus_per_node && on.link == cluster.link;
    if (shared_->times.empty() || !same) {
      shared_->times = unit_times(program_, job_, profile_, clock_, cluster);
      shared_->times_on = cluster;
    }
    known.units = shared_->times;
  }
  return known;
}

CandidateTime LayoutEvaluator::time(const ClusterView& cluster) {
  const TimeReport report = step_time(program_, job_, profile_, known_times(cluster), cluster, InputQuality::stated);
  return {report.step_time.mid, report.tokens_per_step};
}

CandidateTime LayoutEvaluator::time_floor(const ClusterView& cluster) {
  const TimeReport report = step_time_floor(program_, job_, profile_, known_times(cluster), cluster);
  return {report.step_time.mid, report.tokens_per_step};
}

std::optional<Seconds> LayoutEvaluator::floor_per_token(const Candidate& candidate) {
  const ParallelLayout& l = candidate.layout;
  const std::array<std::int64_t, 9> key{l.tensor_parallel,
                                        l.sequence_parallel ? 1 : 0,
                                        l.context_parallel,
                                        l.expert_parallel,
                                        l.expert_tensor_parallel,
                                        l.zero_stage,
                                        l.dp_shard > 1 ? 1 : 0,
                                        candidate.micro_batch_size,
                                        static_cast<std::int64_t>(candidate.recompute)};
  const auto [place, is_new] = work_.try_emplace(key);
  if (is_new) {
    place->second = micro_batch_work(candidate);
  }
  if (!place->second) {
    return std::nullopt;
  }
  const auto stages = static_cast<double>(l.pipeline_parallel);
  const double micro_batches = static_cast<double>(candidate.global_batch_size) /
                               static_cast<double>(candidate.micro_batch_size * l.data_parallel());
  const double passes = micro_batches + (stages - 1.0) / static_cast<double>(l.virtual_pipeline);
  const double tokens = static_cast<double>(candidate.global_batch_size * job_.sequence_length);
  return passes / stages / tokens * *place->second;
}

std::optional<Seconds> LayoutEvaluator::micro_batch_work(const Candidate& candidate) {
  // One stage and as few ranks as show the same graphs: what is left out is traffic, or divides the work.
  Candidate alone = candidate;
  alone.layout.pipeline_parallel = alone.layout.virtual_pipeline = 1;
  alone.layout.dp_replicate = 1;
  alone.layout.dp_shard = std::min<std::int64_t>(candidate.layout.dp_shard, 2);
  alone.global_batch_size = alone.micro_batch_size * alone.layout.dp_shard;
  if (!choose(alone)) {
    return std::nullopt;
  }
  constexpr std::int64_t kEnough = 1 << 20;
  const ClusterView anywhere{.gpus_per_node = kEnough, .link_domain = kEnough, .network_per_gpu = BytesPerSecond{1e15}};
  const TimeReport report =
      step_time(program_, job_, profile_, KnownTimes{.clock = &clock_}, anywhere, InputQuality::stated);
  Seconds sum;
  for (const TimeCause cause : {TimeCause::gemm, TimeCause::attention, TimeCause::memory_bound}) {
    sum += report.at(cause);
  }
  return sum;
}

}  // namespace mekiki
