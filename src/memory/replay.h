// Replay: the requests of the first two steps of one rank, in order, through the model of the caching allocator.
#pragma once

#include <optional>

#include "job/defaults.h"
#include "job/profile.h"
#include "memory/caching_allocator.h"
#include "program/step_program.h"

namespace mekiki {

struct ReplayedBytes {
  Bytes allocated, reserved;   // peaks
  bool out_of_memory = false;  // the limit was passed although free segments were given back
};

/// Load, first step, update, a later step with all its kinds of micro-batches, update, evaluation and save of one
/// stage, every micro-batch at the full length. Weights and states come in pieces of one parameter each. Values that
/// frameworks gather and reduce on streams of their own (profile: stream_pools) use blocks of their own. O(layers x
/// tensors x log). `limit`: most that may be reserved, unset for no end. Not modelled: lengths that vary, blocks that
/// Python's garbage collector frees late, workspaces of libraries.
ReplayedBytes replay(const StepProgram& program,
                     const StageProgram& stage,
                     const ResolvedJob& job,
                     const Profile& profile,
                     std::optional<Bytes> limit = std::nullopt);

}  // namespace mekiki
