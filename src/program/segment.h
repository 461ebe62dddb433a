// A Segment is a stretch of a step that runs as one piece and may repeat: a layer forward, the same layer backward,
// embedding, head with loss, optimizer. Its tensors say when they are born and freed, so the peak of any sequence of
// segments follows.
#pragma once

#include <array>
#include <cstdint>

#include "base/dtype.h"
#include "base/enum_names.h"
#include "base/name.h"
#include "base/quantity.h"

namespace mekiki {

enum class Category : std::uint8_t {
  weights,
  gradients,
  optimizer_states,
  master_weights,
  activations,
  logits_and_loss,
  temporary,
  communication
};
inline constexpr std::size_t kCategories = 8;

enum class Lifetime : std::uint8_t {
  within,          // born at op `born`, freed after op `freed`
  kept,            // born at op `born`, still there when the segment ends (its backward releases it)
  released,        // there before the segment starts, freed after op `freed`
  until_optimizer  // a gradient: stays until the optimizer in the first micro-batch, freed after op `freed` in later
                   // ones
};

/// Pools of the caching allocator: blocks freed on one stream are not reused on another, so what gathers and reductions
/// use on their own streams adds to the peak of the rest. Source: pytorch/pytorch c10/cuda/CUDACachingAllocator.cpp
/// (BlockComparator: stream first).
enum class Pool : std::uint8_t { compute, communication };

struct Tensor {
  Name name;
  Bytes bytes;
  Dtype dtype = Dtype::bf16;
  Category category = Category::activations;
  Pool pool = Pool::compute;
  Lifetime lifetime = Lifetime::within;
  std::int16_t born = 0;
  std::int16_t freed = 0;
};

enum class SegmentKind : std::uint8_t {
  embedding_forward,
  layer_forward,
  head,  // forward, loss and backward of the output head in one go
  layer_backward,
  embedding_backward,
  optimizer,
  layer_evaluation,
  head_evaluation,
  save
};

template <>
struct EnumNames<SegmentKind> {
  static constexpr std::array<std::string_view, 9> value = {"embedding_forward",
                                                            "layer_forward",
                                                            "head",
                                                            "layer_backward",
                                                            "embedding_backward",
                                                            "optimizer",
                                                            "layer_evaluation",
                                                            "head_evaluation",
                                                            "save"};
};

/// Ranges into the ops and tensors of the StepProgram that owns the segment, or of the units that it shares.
struct Segment {
  SegmentKind kind = SegmentKind::layer_forward;
  std::int16_t layer_kind = -1;  // which of the distinct layers; -1: none
  std::int32_t first_op = 0, op_count = 0;
  std::int32_t first_tensor = 0, tensor_count = 0;
  bool of_units = false;
};

}  // namespace mekiki
