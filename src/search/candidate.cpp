#include "search/candidate.h"

#include <algorithm>

namespace mekiki {
namespace {

constexpr std::int64_t kMostMicroBatch = 64;

/// Powers of two from 1 to `most` that `open` allows, or the fixed value alone.
std::vector<std::int64_t> values_of(const std::optional<std::int64_t>& fixed, std::int64_t most, bool open) {
  if (fixed) {
    return {*fixed};
  }
  std::vector<std::int64_t> values{1};
  for (std::int64_t v = 2; open && v <= most; v *= 2) {
    values.push_back(v);
  }
  return values;
}

/// Stages of sharding that a style of data parallelism offers, when its group has more than one rank.
struct ShardingChoice {
  int zero_stage = 0;
  bool reshard_after_forward = true;
};

std::vector<ShardingChoice> sharding_choices(const Profile& profile) {
  if (!profile.supports.sharding) {
    return {{0}};
  }
  switch (profile.memory.sharding.style) {
    case DataParallelStyle::ddp:
      return {{0}};
    case DataParallelStyle::fsdp1:
    case DataParallelStyle::fsdp2:
      return {{0}, {2}, {3, false}, {3, true}};
    case DataParallelStyle::zero:
      return {{0}, {1}, {2}, {3}};
    case DataParallelStyle::distributed_optimizer:
      return {{0}, {1}};
  }
  return {{0}};
}

class Enumeration {
 public:
  Enumeration(const Profile& profile,
              const LayoutLimits& limits,
              const ClusterSize& cluster,
              const SearchSpace& space,
              bool trains_adapters)
      : profile_(profile),
        limits_(limits),
        cluster_(cluster),
        fixed_(space.layout),
        layouts_wanted_(profile.supports.adapters || !trains_adapters) {}

  std::vector<ParallelLayout> run() {
    if (!layouts_wanted_) {
      return {};
    }
    const EngineSupport& can = profile_.supports;
    const std::int64_t domain = std::min(cluster_.link_domain, cluster_.gpus);
    for (const std::int64_t pipeline :
         values_of(fixed_.pipeline_parallel, std::min(limits_.layers, cluster_.gpus), can.pipeline_parallel)) {
      for (const std::int64_t tensor : values_of(fixed_.tensor_parallel, domain, can.tensor_parallel)) {
        for (const std::int64_t context :
             values_of(fixed_.context_parallel, limits_.sequence_length / kShortestSlice, can.context_parallel)) {
          for (const std::int64_t expert :
               values_of(fixed_.expert_parallel, std::min(domain, limits_.experts), can.expert_parallel)) {
            ParallelLayout layout{.tensor_parallel = tensor,
                                  .context_parallel = context,
                                  .pipeline_parallel = pipeline,
                                  .expert_parallel = expert,
                                  .expert_tensor_parallel = fixed_.expert_tensor_parallel.value_or(1)};
            layout.sequence_parallel =
                fixed_.sequence_parallel.value_or(tensor > 1 && profile_.memory.sequence_parallel_with_tensor_parallel);
            virtual_stages(layout);
          }
        }
      }
    }
    return std::move(layouts_);
  }

 private:
  void virtual_stages(ParallelLayout layout) {
    for (const std::int64_t chunks :
         values_of(fixed_.virtual_pipeline, 4, layout.pipeline_parallel > 1 && profile_.supports.pipeline_parallel)) {
      const bool even = limits_.layers % (layout.pipeline_parallel * chunks) == 0;
      if (chunks > 1 && !even && !fixed_.virtual_pipeline) {
        continue;
      }
      layout.virtual_pipeline = chunks;
      data_parallel(layout);
    }
  }

  void data_parallel(ParallelLayout layout) {
    const std::int64_t model_ranks = layout.tensor_parallel * layout.context_parallel * layout.pipeline_parallel;
    if (cluster_.gpus % model_ranks != 0) {
      return;
    }
    const std::int64_t ranks = cluster_.gpus / model_ranks;
    for (const ShardingChoice& choice : sharding_choices(profile_)) {
      if (fixed_.zero_stage && *fixed_.zero_stage != choice.zero_stage) {
        continue;
      }
      layout.zero_stage = choice.zero_stage;
      layout.reshard_after_forward = choice.reshard_after_forward;
      if (fixed_.reshard_after_forward && *fixed_.reshard_after_forward != choice.reshard_after_forward) {
        continue;
      }
      share_out(layout, ranks);
    }
  }

  /// Splits the data-parallel ranks into replicas and shards.
  void share_out(ParallelLayout layout, std::int64_t ranks) {
    if (layout.zero_stage == 0) {
      add(layout, ranks, 1);
      return;
    }
    if (ranks * layout.context_parallel == 1 && !fixed_.zero_stage) {
      return;  // nothing to shard over: the plain layout says the same
    }
    add(layout, 1, ranks);
    const std::int64_t inside =
        cluster_.link_domain / std::max<std::int64_t>(1, layout.tensor_parallel * layout.context_parallel);
    if (inside > 1 && inside < ranks && ranks % inside == 0 && layout.zero_stage == 3) {
      add(layout, ranks / inside, inside);
    }
  }

  void add(ParallelLayout layout, std::int64_t replicas, std::int64_t shards) {
    if (fixed_.dp_replicate.value_or(replicas) != replicas || fixed_.dp_shard.value_or(shards) != shards) {
      return;
    }
    layout.dp_replicate = replicas;
    layout.dp_shard = shards;
    if (check_layout(layout, limits_)) {
      layouts_.push_back(layout);
    }
  }

  const Profile& profile_;
  const LayoutLimits& limits_;
  const ClusterSize& cluster_;
  const LayoutRequest& fixed_;
  bool layouts_wanted_;
  std::vector<ParallelLayout> layouts_;
};

}  // namespace

std::vector<ParallelLayout> layouts_of(const Profile& profile,
                                       const LayoutLimits& limits,
                                       const ClusterSize& cluster,
                                       const SearchSpace& space,
                                       bool trains_adapters) {
  return Enumeration(profile, limits, cluster, space, trains_adapters).run();
}

std::optional<std::int64_t> global_batch_on(const SearchSpace& space,
                                            const ParallelLayout& layout,
                                            std::int64_t micro_batch_size) {
  const std::int64_t pass = micro_batch_size * layout.data_parallel();
  if (space.gradient_accumulation_steps) {
    return pass * *space.gradient_accumulation_steps;
  }
  const std::int64_t wanted = space.global_batch_size;
  const std::int64_t passes = (wanted + pass - 1) / pass;
  const std::int64_t batch = passes * pass;
  const bool allowed = batch == wanted || (space.batch_may_grow && 4 * batch <= 5 * wanted);
  return allowed ? std::optional(batch) : std::nullopt;
}

std::vector<std::int64_t> micro_batches_of(const SearchSpace& space, const ParallelLayout& layout) {
  if (space.micro_batch_size) {
    return {*space.micro_batch_size};
  }
  const std::int64_t share = (space.global_batch_size + layout.data_parallel() - 1) / layout.data_parallel();
  return values_of(std::nullopt, std::min(share, kMostMicroBatch), true);
}

std::vector<ActivationRecompute> recomputes_of(const SearchSpace& space, const Profile& profile) {
  if (space.recompute) {
    return {*space.recompute};
  }
  std::vector<ActivationRecompute> choices{ActivationRecompute::none};
  if (!profile.memory.selective_policy.empty()) {
    choices.push_back(ActivationRecompute::selective);
  }
  choices.push_back(ActivationRecompute::full);
  return choices;
}

}  // namespace mekiki
