// Where in a phase the peak stands: how often each segment had run to its end, and the op that runs.
#pragma once

#include <cstdint>
#include <vector>

#include "memory/footprint.h"
#include "program/step_program.h"

namespace mekiki {

struct PeakPosition {
  std::vector<double> completed;  // by segment of the program: whole runs before the peak
  std::int32_t segment = -1;      // that runs; -1: residents alone
  std::int16_t op = 0;
  Bytes height;
};

/// The highest moment of one phase of one stage. Repeated runs are linear in their count, so the peak is in the first
/// or the last repetition.
PeakPosition peak_position(const StepProgram& program, const StageProgram& stage, PhaseKind phase);

}  // namespace mekiki
