// Units: the segments of layers, embedding and output head on one rank. They depend on few parts of a layout, so
// layouts that agree in those share them; a search lowers each once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "job/defaults.h"
#include "job/profile.h"
#include "layout/layout.h"
#include "program/prepared_model.h"
#include "program/sharding.h"
#include "program/stage_weights.h"
#include "program/step_program.h"

namespace mekiki {

/// Who reads a program: a search leaves out the phases that never bind (an evaluation keeps nothing that a later
/// micro-batch does not hold as well).
enum class Detail : std::uint8_t { full, search };

/// Segments of one layer kind, as indices; -1: none. Where only some layers are recomputed, `plain_*` are those of the
/// others.
struct LayerSegments {
  std::int32_t forward = -1, backward = -1, evaluation = -1;
  std::int32_t plain_forward = -1, plain_backward = -1;
};

struct Units {
  StepProgram program;  // ops, tensors and segments only
  std::vector<LayerSegments> layers;
  std::vector<ElementSplit> layer_elements;
  ElementSplit embedding, head;
  std::vector<Bytes> offloaded_activations;  // by layer kind: kept for backward, but on the host
  std::int32_t embedding_forward = -1, embedding_backward = -1, head_segment = -1, head_evaluation = -1;
};

/// Everything that Units depend on besides model, profile, detail and the parts of the job that a search leaves alone.
/// Tested: lowering with shared units equals lowering alone, tests/property/bound_property_test.cpp.
struct UnitKey {
  std::array<std::int64_t, 9> counts{};
  std::array<double, 4> shards{};

  bool operator==(const UnitKey&) const = default;
};

/// Whether what layers keep for backward waits in host memory: asked for, or the framework's habit.
bool offloads_activations(const ResolvedJob& job, const Profile& profile);

UnitKey unit_key(const PreparedModel& model,
                 const ResolvedJob& job,
                 const ParallelLayout& layout,
                 const Sharding& sharding);

struct UnitKeyHash {
  std::size_t operator()(const UnitKey& key) const;
};

Units lower_units(const PreparedModel& model,
                  const ResolvedJob& job,
                  const ParallelLayout& layout,
                  const Profile& profile,
                  Detail detail);

}  // namespace mekiki
