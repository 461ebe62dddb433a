// RowJob: what a row of either kind means as inputs of the planner, and the pieces that both kinds share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hardware/gpu.h"
#include "job/defaults.h"
#include "job/job.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "model/arch.h"
#include "program/step_program.h"
#include "validate/row_context.h"
#include "validate/row_reader.h"

namespace mekiki {

struct RowJob {
  const Arch* arch = nullptr;  // owned by the context
  Job job;
  ParallelLayout layout;
  std::int64_t gpus = 1;
  Profile profile;
  const Gpu* gpu = nullptr;          // unset: the row names none
  std::optional<Bytes> capacity;     // as the driver reports it
  std::vector<std::string> assumed;  // columns that were guessed or filled by a default
  /// Length, micro-batch and layout come from the row, and its framework has a profile.
  bool stated = true;
};

/// The step that a RowJob asks for.
struct RowProgram {
  ResolvedJob job;
  StepProgram program;
};

/// Errors: those of with_defaults, check_layout, prepare_model and lower.
Result<RowProgram> lower_row(const RowJob& row);

Result<const Arch*> arch_of_text(const RowContext& context, std::string_view text);

/// The profile that the row's framework means; `generic` where there is none (noted as assumed).
Result<Profile> profile_of_row(const RowContext& context, std::optional<Month> era, RowReader& reader);

/// A framework that a row runs with another kind of sharding than its habit: dtypes, buffers and allocator behaviour
/// are then those of the profile that describes this kind, the rest stays the framework's own. Errors: internal where
/// the aliases name no such profile.
Result<Profile> with_stated_sharding(
    Profile profile, DataParallelStyle style, const RowContext& context, std::optional<Month> era, RowReader& reader);

/// What data parallelism of this style shards when nobody says.
int usual_zero_stage(DataParallelStyle style);

/// The GPU of the row; null where it names none. Errors: those of find_gpu.
Result<const Gpu*> gpu_of_row(const RowContext& context, RowReader& reader, std::string_view text);

/// What the driver reports of a card: the catalogue's figure for the GPU; where the row's own size disagrees or no GPU
/// is named, the least that any GPU of that marketed size reports; unset where nothing is known.
std::optional<Bytes> capacity_of_row(const RowContext& context, const Gpu* gpu, std::optional<double> memory_gb);

/// Month of the software: from `era`, else from the version of the library.
std::optional<Month> era_of(std::string_view era, std::string_view torch_version, RowReader& reader);

/// Adapter settings of a row, where its method has adapters.
std::optional<Lora> lora_of_row(std::optional<std::int64_t> rank,
                                std::string_view targets,
                                const Arch& arch,
                                const Profile& profile,
                                RowReader& reader);

/// Whether a framework splits experts over the tensor-parallel ranks too when it also spreads them (expert_parallel
/// above 1). Without expert parallelism experts are split like every other matrix.
bool splits_experts_over_tensor(const Profile& profile, RowReader& reader);

/// expert_tensor_parallel of a layout whose other axes stand; 1 for a model without experts.
std::int64_t expert_tensor_ranks(const Arch& arch, const ParallelLayout& layout, bool splits_experts);

/// Ranks left for data parallelism. Errors: conflict where the axes do not divide the GPUs.
Result<std::int64_t> data_parallel_ranks(std::int64_t gpus, const ParallelLayout& layout);

}  // namespace mekiki
