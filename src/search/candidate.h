// Candidate: one way to run a job on a number of GPUs; the enumeration of all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "job/defaults.h"
#include "job/job_request.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "program/prepared_model.h"

namespace mekiki {

/// What of a job the search may choose.
struct Candidate {
  ParallelLayout layout;
  std::int64_t micro_batch_size = 1;
  ActivationRecompute recompute = ActivationRecompute::none;
  std::int64_t global_batch_size = 1;  // sequences

  bool operator==(const Candidate&) const = default;
};

/// What the enumeration needs to know of a machine.
struct ClusterSize {
  std::int64_t gpus = 1;  // in total
  std::int64_t gpus_per_node = 1;
  std::int64_t link_domain = 1;  // GPUs within reach of the fast link
};

/// What the user fixed, and what is left open.
struct SearchSpace {
  LayoutRequest layout;
  std::optional<std::int64_t> micro_batch_size;
  std::optional<ActivationRecompute> recompute;
  std::int64_t global_batch_size = 1;
  /// The batch is a default: a layout may take up to a quarter more, so that its ranks get equal shares.
  bool batch_may_grow = false;
  /// Fixed by the user instead of the batch.
  std::optional<std::int64_t> gradient_accumulation_steps;
};

/// Layouts of a framework on this many GPUs that keep the integer rules, without micro-batch and recompute, in a fixed
/// order, simple ones first. An axis that the user fixed has that value only.
/// - tensor_parallel, expert_parallel: powers of two inside a link domain;
/// - pipeline_parallel: powers of two up to the layers; virtual_pipeline 1, 2, 4 where it divides the layers;
/// - context_parallel: powers of two that leave at least kShortestSlice tokens a rank;
/// - data parallel: the rest, all of it sharded, or sharded inside a link domain and replicated between them;
/// - zero_stage: as the framework's data parallelism has it.
std::vector<ParallelLayout> layouts_of(const Profile& profile,
                                       const LayoutLimits& limits,
                                       const ClusterSize& cluster,
                                       const SearchSpace& space,
                                       bool trains_adapters);
inline constexpr std::int64_t kShortestSlice = 4096;

/// Sequences per step on this layout; unset where the batch cannot be shared out evenly.
std::optional<std::int64_t> global_batch_on(const SearchSpace& space,
                                            const ParallelLayout& layout,
                                            std::int64_t micro_batch_size);

/// Micro-batches worth a try: powers of two up to a rank's share of the batch, or the fixed one.
std::vector<std::int64_t> micro_batches_of(const SearchSpace& space, const ParallelLayout& layout);

/// Recompute policies worth a try on this framework, cheapest first.
std::vector<ActivationRecompute> recomputes_of(const SearchSpace& space, const Profile& profile);

}  // namespace mekiki
