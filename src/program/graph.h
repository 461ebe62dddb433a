// LayerGraph: the forward graph of one layer (or of the embedding, or of the head) on one rank. From it the forward and
// backward segments follow by the rules of reverse-mode differentiation, so that what is kept for backward is derived,
// never listed twice:
//   a node names the values that its backward reads; each is kept once, however many nodes read it;
//   a recompute policy marks values as kept; backward first recomputes whatever it needs and does not find.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "base/check.h"
#include "program/step_program.h"

namespace mekiki {

using ValueId = std::int16_t;
inline constexpr ValueId kNoValue = -1;

struct Value {
  Name name;
  Bytes bytes;
  Dtype dtype = Dtype::bf16;
  Category category = Category::activations;
  std::int16_t producer = -1;  // node; -1: input of the graph
  /// Part of the residual stream: its gradient is the one tensor that flows through the whole backward.
  bool residual = false;
  /// A recompute policy keeps it.
  bool policy_keeps = false;
  /// Has a gradient of its own in backward.
  bool has_gradient = true;
};

/// The values that a node reads: a handful, in a fixed bound that keeps nodes free of allocations. A place that nobody
/// filled is kNoValue.
class NodeValues {
 public:
  static constexpr std::size_t kMost = 5;

  constexpr NodeValues() { ids_.fill(kNoValue); }
  constexpr NodeValues(std::initializer_list<ValueId> ids) : NodeValues() {
    MEKIKI_CHECK(ids.size() <= kMost, "a node reads few values");
    std::copy(ids.begin(), ids.end(), ids_.begin());
  }
  constexpr ValueId& operator[](std::size_t i) { return ids_[i]; }
  constexpr ValueId operator[](std::size_t i) const { return ids_[i]; }
  constexpr auto begin() const { return ids_.begin(); }
  constexpr auto end() const { return ids_.end(); }

 private:
  std::array<ValueId, kMost> ids_;
};

struct Node {
  Name name;
  Work forward;
  /// Products for the input gradient and the weight gradient, or one memory-bound op.
  std::array<Work, 3> backward{};
  Stream stream = Stream::compute;
  Stream backward_stream = Stream::compute;
  NodeValues inputs;
  NodeValues saves;
  ValueId output = kNoValue;
  /// A recompute policy runs it again, whether or not its output is still there.
  bool policy_recomputes = false;
  float extra_kernels = 0;      // as StepOp::extra_kernels, in each pass
  Bytes weight_gradient;        // whole, in the dtype of backward
  Bytes forward_temporary;      // lives only while the node runs forward
  int forward_temporaries = 1;  // equal tensors that it consists of
  Bytes backward_temporary;
};

/// What a data-parallel style adds to every repetition of the graph.
struct GatheredWeights {
  Bytes forward;  // unsharded weights alive while the forward runs; 0: nothing is gathered
  Bytes backward;
  Bytes gather_message;  // one gather; 0: none
  bool gather_in_backward = false;
  Bytes reduce_message;  // gradients reduced after backward, whole; 0: not here
  Collective reduction = Collective::reduce_scatter;
  RankGroup group = RankGroup::data_shard;
  Bytes reduction_copy;  // gradients in the dtype of the reduction, whole
  Bytes gradient_kept;   // gradient that stays until the optimizer, this rank's part
  Dtype gradient_dtype = Dtype::fp32;
  /// The whole gradients of this graph stay (nothing is sharded): `gradient_kept` is made of the weight gradients
  /// themselves.
  bool keeps_weight_gradients = true;
  bool gradients_resident = false;  // added to a buffer that exists already
};

enum class KeepPolicy : std::uint8_t { all_saved, policy, input_only };

class LayerGraph {
 public:
  LayerGraph() {
    values_.reserve(32);
    nodes_.reserve(32);
  }

  ValueId add_input(Name name, Bytes bytes, Dtype dtype);
  ValueId add_value(Name name, Bytes bytes, Dtype dtype, Category category = Category::activations);
  /// Appends the node; its output value, if any, gets it as producer.
  void add_node(const Node& node);
  Value& value(ValueId id) { return values_[static_cast<std::size_t>(id)]; }
  const Value& value(ValueId id) const { return values_[static_cast<std::size_t>(id)]; }
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Value> values() const { return values_; }

  /// Keeps for backward what `keep` says. Tensors: kept ones get Lifetime::kept.
  Segment emit_forward(SegmentKind kind, KeepPolicy keep, const GatheredWeights& weights, StepProgram& program) const;
  /// Nothing is kept.
  Segment emit_evaluation(SegmentKind kind, const GatheredWeights& weights, StepProgram& program) const;
  Segment emit_backward(SegmentKind kind, KeepPolicy keep, const GatheredWeights& weights, StepProgram& program) const;
  /// Forward and backward in one go (output head): nothing is recomputed, nothing outlives the segment but gradients.
  Segment emit_forward_backward(SegmentKind kind, const GatheredWeights& weights, StepProgram& program) const;

 private:
  friend class SegmentEmitter;
  std::vector<Value> values_;
  std::vector<Node> nodes_;
};

}  // namespace mekiki
