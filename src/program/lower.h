// The lowering: Arch x Job x Layout x Profile to one training step. Written once; memory and time both read its result.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "job/defaults.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "program/prepared_model.h"
#include "program/step_program.h"
#include "program/units.h"

namespace mekiki {

/// One step of `job` on every distinct stage of `layout`. The layout must have passed check_layout.
///
/// Per stage and phase the program holds what is resident and a timeline of segments:
///   first_step            forward of the micro-batches in flight, backward of one; no optimizer states yet, gradients
///   are born later_micro_batches   the same with states, and with gradients where steps accumulate them optimizer
///   states, gradients and the temporaries of the update evaluation            forward with nothing kept save, resume,
///   load    weights and states, and what a gather for a full checkpoint adds
///
/// Errors: conflict where batches do not divide. Not modelled: uneven stages beyond one layer of difference, gradients
/// of shared (tied) embeddings over stages, expert imbalance.
Result<StepProgram> lower(const PreparedModel& model,
                          const ResolvedJob& job,
                          const ParallelLayout& layout,
                          const Profile& profile,
                          Detail detail = Detail::full);

/// The same for a search, on units that lower_units made of a layout with the same unit_key; they must outlive the
/// result.
Result<StepProgram> lower(const PreparedModel& model,
                          const ResolvedJob& job,
                          const ParallelLayout& layout,
                          const Profile& profile,
                          const Units& units);

/// Layers of each pipeline stage: as equal as possible, the later stages take the rest.
std::int64_t layers_of_stage(std::int64_t layers, std::int64_t stages, std::int64_t stage);

}  // namespace mekiki
