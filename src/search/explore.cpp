#include "search/explore.h"

#include "search/bounds.h"

namespace mekiki {
namespace {

class Explorer {
 public:
  Explorer(const Engine& engine, const SearchSpace& space, const ExploreTarget& target, LayoutEvaluator& evaluator)
      : engine_(engine), space_(space), target_(target), evaluator_(evaluator) {
    recomputes_ = recomputes_of(space, *engine.profile);
  }

  void layout(const ParallelLayout& layout) {
    const std::vector<std::int64_t> micro_batches = micro_batches_of(space_, layout);
    const auto count = static_cast<std::int64_t>(micro_batches.size() * recomputes_.size());
    result_.considered += count;
    const Bytes states = states_bound(engine_.model, engine_.job, layout, *engine_.profile);
    if (states > target_.capacity) {
      result_.pruned += count;
      return;
    }
    std::int64_t left = count;
    const auto step = static_cast<std::int64_t>(recomputes_.size());
    for (const std::int64_t micro_batch : micro_batches) {
      left -= step;
      if (micro_batch_size(layout, micro_batch) || left == 0) {
        continue;
      }
      // Larger ones hold more, except that a step of one pass keeps no gradients beside its activations.
      const bool one_pass = micro_batches.back() * layout.data_parallel() >= space_.global_batch_size;
      result_.pruned += one_pass ? left - step : left;
      if (one_pass) {
        micro_batch_size(layout, micro_batches.back());
      }
      return;
    }
  }

  Exploration take() { return result_; }

 private:
  /// False: this and all larger ones hold too much.
  bool micro_batch_size(const ParallelLayout& layout, std::int64_t micro_batch) {
    const std::optional<std::int64_t> batch = global_batch_on(space_, layout, micro_batch);
    auto left = static_cast<std::int64_t>(recomputes_.size());
    if (!batch) {
      result_.uneven_batch += left;
      return true;
    }
    bool holds = false;
    for (const ActivationRecompute recompute : recomputes_) {
      const Candidate next{layout, micro_batch, recompute, *batch};
      if (beaten(next)) {
        result_.pruned += left;  // with stronger recompute it would be slower still
        return true;
      }
      --left;
      const std::optional<Verdict> verdict = candidate(next);
      holds = verdict && *verdict != Verdict::does_not_fit;
      if (verdict == Verdict::fits) {
        result_.pruned += left;
        return true;
      }
    }
    return holds;
  }

  /// Whether one that fits is known to be as fast as this can be at best.
  bool beaten(const Candidate& candidate) {
    if (!result_.fits) {
      return false;
    }
    const std::optional<Seconds> floor = evaluator_.floor_per_token(candidate);
    return floor && *floor >= result_.fits->time.per_token();
  }

  std::optional<Verdict> candidate(const Candidate& candidate) {
    if (!evaluator_.choose(candidate)) {
      ++result_.pruned;
      return std::nullopt;
    }
    const Bytes device = evaluator_.peak().device_on(target_.capacity);
    const Verdict verdict = verdict_of({device, device, device}, target_.capacity, engine_.job.headroom);
    if (verdict == Verdict::does_not_fit) {
      ++result_.over_memory;
      return verdict;
    }
    std::optional<Exploration::Choice>& best = verdict == Verdict::fits ? result_.fits : result_.tight;
    ++result_.evaluated;
    const ClusterView& cluster = target_.machine->cluster;
    if (best && evaluator_.time_floor(cluster).per_token() >= best->time.per_token()) {
      return verdict;
    }
    const CandidateTime time = evaluator_.time(cluster);
    if (!best || time.per_token() < best->time.per_token()) {
      best = Exploration::Choice{candidate, device, time};
    }
    return verdict;
  }

  const Engine& engine_;
  const SearchSpace& space_;
  const ExploreTarget& target_;
  LayoutEvaluator& evaluator_;
  std::vector<ActivationRecompute> recomputes_;
  Exploration result_;
};

std::vector<ParallelLayout> layouts_on(const Engine& engine,
                                       const LayoutLimits& limits,
                                       const SearchSpace& space,
                                       const ExploreTarget& target) {
  const Machine& machine = *target.machine;
  const ClusterSize cluster{.gpus = target.nodes * machine.system.gpus,
                            .gpus_per_node = machine.system.gpus,
                            .link_domain = machine.cluster.link_domain};
  return layouts_of(*engine.profile, limits, cluster, space, trains_adapters_only(engine.job.method));
}

}  // namespace

Exploration explore(const Engine& engine,
                    const LayoutLimits& limits,
                    const SearchSpace& space,
                    const ExploreTarget& target,
                    LayoutEvaluator& evaluator) {
  Explorer explorer(engine, space, target, evaluator);
  for (const ParallelLayout& layout : layouts_on(engine, limits, space, target)) {
    explorer.layout(layout);
  }
  return explorer.take();
}

std::optional<LeastMemory> least_memory(const Engine& engine,
                                        const LayoutLimits& limits,
                                        const SearchSpace& space,
                                        const ExploreTarget& target,
                                        LayoutEvaluator& evaluator) {
  std::optional<LeastMemory> least;
  const ActivationRecompute strongest = recomputes_of(space, *engine.profile).back();
  for (const ParallelLayout& layout : layouts_on(engine, limits, space, target)) {
    const std::vector<std::int64_t> micro_batches = micro_batches_of(space, layout);
    for (const std::int64_t micro_batch : {micro_batches.front(), micro_batches.back()}) {
      const std::optional<std::int64_t> batch = global_batch_on(space, layout, micro_batch);
      const Candidate candidate{layout, micro_batch, strongest, batch.value_or(0)};
      if (!batch || !evaluator.choose(candidate)) {
        continue;
      }
      const Bytes device = evaluator.peak().device;
      if (!least || device < least->device) {
        least = LeastMemory{candidate, device};
      }
    }
  }
  return least;
}

}  // namespace mekiki
