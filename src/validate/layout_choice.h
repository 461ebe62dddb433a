// The layout of a row that leaves some of it open: the best one that the stated numbers allow.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "validate/row_job.h"
#include "validate/row_machine.h"

namespace mekiki {

/// What the row states; unset: open.
struct StatedLayout {
  std::optional<std::int64_t> tensor_parallel, pipeline_parallel, context_parallel, data_parallel, virtual_pipeline;
  std::int64_t expert_parallel = 1;
  bool splits_experts_over_tensor = false;
  std::optional<std::int64_t> micro_batch_size, gradient_accumulation_steps, global_batch_size;
  /// How data-parallel ranks share states.
  int zero_stage = 0;
  bool reshard_after_forward = true;
  bool shards_within_node = false;
  std::int64_t most_virtual_stages = 1;
  /// The row does not say whether activations are recomputed.
  bool recompute_open = false;
};

struct ChosenLayout {
  ParallelLayout layout;
  std::int64_t micro_batch_size = 1;
  std::int64_t global_batch_size = 1;
  bool layout_assumed = false;
  bool micro_batch_assumed = false;
  bool virtual_pipeline_assumed = false;
  bool global_batch_assumed = false;
  /// Layers that must be recomputed for the run to be possible, where the row leaves it open; unset: as it says.
  std::optional<std::int64_t> recomputed_layers;
};

/// Of all layouts that agree with the numbers: those that may fit the GPU (low end of the band) before others, nearer
/// ones before farther ones in classes as wide as the band; then fewest ranks per copy of the model; then most tokens
/// per second. Where recompute is open, as few layers as needed are recomputed, or all where the framework knows no
/// other way. Errors: conflict where no layout agrees with the numbers, or what the planner cannot lower.
Result<ChosenLayout> choose_layout(const RowJob& row, const StatedLayout& stated, const RowMachine& machine);

}  // namespace mekiki
