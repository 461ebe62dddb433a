// Bounds that prove a layout impossible before it is lowered.
#pragma once

#include "job/defaults.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "program/prepared_model.h"

namespace mekiki {

/// Weights, gradients, optimizer states and master weights of the mean pipeline stage, per rank: all of them lie side
/// by side when the optimizer steps, so no micro-batch and no recompute policy gets below. Never above the resident
/// bytes that lower() gives the heaviest stage (tests/property/bound_property_test.cpp).
Bytes states_bound(const PreparedModel& model,
                   const ResolvedJob& job,
                   const ParallelLayout& layout,
                   const Profile& profile);

}  // namespace mekiki
