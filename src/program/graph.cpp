#include "program/graph.h"

#include <algorithm>

#include "base/check.h"

namespace mekiki {

ValueId LayerGraph::add_value(Name name, Bytes bytes, Dtype dtype, Category category) {
  values_.push_back({.name = name, .bytes = bytes, .dtype = dtype, .category = category});
  return static_cast<ValueId>(values_.size() - 1);
}

ValueId LayerGraph::add_input(Name name, Bytes bytes, Dtype dtype) {
  const ValueId id = add_value(name, bytes, dtype);
  value(id).residual = true;
  return id;
}

void LayerGraph::add_node(const Node& node) {
  if (node.output != kNoValue) {
    value(node.output).producer = static_cast<std::int16_t>(nodes_.size());
  }
  nodes_.push_back(node);
}

namespace {
constexpr std::int16_t kUnset = -1;
constexpr std::size_t kMostValues = 192;  // one adapted layer of the widest block set has about half

bool needs_gradient_tensor(const Value& value) {
  return value.has_gradient && !value.residual;
}
}  // namespace

/// Emits one segment: ops in order, then the tensors that their order implies.
class SegmentEmitter {
 public:
  SegmentEmitter(const LayerGraph& graph, SegmentKind kind, StepProgram& program) : graph_(graph), program_(program) {
    MEKIKI_CHECK(graph.values_.size() <= kMostValues, "a layer graph stays small");
    segment_.kind = kind;
    segment_.first_op = static_cast<std::int32_t>(program.ops.size());
    segment_.first_tensor = static_cast<std::int32_t>(program.tensors.size());
    born_.fill(kUnset);
    last_use_.fill(kUnset);
  }

  void gather(Bytes message, RankGroup group) {
    if (message > Bytes{}) {
      push("gather_weights",
           Pass::forward,
           Stream::data_communication,
           CollectiveWork{Collective::all_gather, group, message});
    }
  }

  /// Runs the nodes marked in `run`; each output is born, each input used.
  void run_forward(Pass pass, const std::array<bool, kMostValues>& run) {
    for (std::size_t i = 0; i < graph_.nodes_.size(); ++i) {
      if (!run[i]) {
        continue;
      }
      const Node& node = graph_.nodes_[i];
      const std::int16_t op = push(node.name, pass, node.stream, node.forward);
      program_.ops[static_cast<std::size_t>(segment_.first_op + op)].extra_kernels = node.extra_kernels;
      for (const ValueId input : node.inputs) {
        if (input != kNoValue) {
          last_use_[index(input)] = op;
        }
      }
      if (node.output != kNoValue) {
        born_[index(node.output)] = op;
        last_use_[index(node.output)] = std::max(last_use_[index(node.output)], op);
      }
      for (int part = 0; part < node.forward_temporaries; ++part) {
        transient(node.name,
                  node.forward_temporary / static_cast<double>(node.forward_temporaries),
                  op,
                  op,
                  temporary_category(node));
      }
    }
  }

  /// Backward of every node, last first. Reading a saved value extends its life to here.
  void run_backward(const GatheredWeights& weights) {
    std::array<std::int16_t, kMostValues> gradient_born;
    gradient_born.fill(kUnset);
    for (std::size_t n = graph_.nodes_.size(); n-- > 0;) {
      const Node& node = graph_.nodes_[n];
      const std::int16_t first = next_op();
      for (std::size_t i = 0; i < node.backward.size(); ++i) {
        if (!std::holds_alternative<std::monostate>(node.backward[i])) {
          push(node.name, Pass::backward, node.backward_stream, node.backward[i]);
          program_.ops.back().weight_gradient = i == 1 && std::holds_alternative<GemmWork>(node.backward[i]);
        }
      }
      if (next_op() == first) {
        push(node.name, Pass::backward, Stream::compute, std::monostate{});
      }
      program_.ops[static_cast<std::size_t>(segment_.first_op + first)].extra_kernels = node.extra_kernels;
      const std::int16_t last = static_cast<std::int16_t>(next_op() - 1);
      for (const ValueId saved : node.saves) {
        if (saved != kNoValue) {
          backward_use_[index(saved)] = last;
        }
      }
      gradients_of_inputs(node, first, last, gradient_born);
      if (node.output != kNoValue && gradient_born[index(node.output)] != kUnset) {
        const Value& out = graph_.value(node.output);
        transient(out.name, out.bytes, gradient_born[index(node.output)], last, gradient_category(out));
      }
      transient(node.name, node.backward_temporary, first, last, temporary_category(node));
      weight_gradient(node, last, weights);
    }
    for (std::size_t v = 0; v < graph_.values_.size(); ++v) {
      if (graph_.values_[v].producer == -1 && gradient_born[v] != kUnset) {
        transient(graph_.values_[v].name,
                  graph_.values_[v].bytes,
                  gradient_born[v],
                  static_cast<std::int16_t>(next_op() - 1),
                  Category::activations);
      }
    }
  }

  void reduce(const GatheredWeights& weights) {
    if (weights.reduce_message > Bytes{}) {
      push("reduce_gradients",
           Pass::backward,
           Stream::data_communication,
           CollectiveWork{weights.reduction, weights.group, weights.reduce_message});
    } else if (weights.gradient_kept > Bytes{}) {
      push("keep_gradients", Pass::backward, Stream::compute, std::monostate{});
    }
    const std::int16_t last = static_cast<std::int16_t>(next_op() - 1);
    transient("gradient_reduction_copy", weights.reduction_copy, last, last, Category::communication);
    if (weights.gradient_kept > Bytes{} && !weights.keeps_weight_gradients && !weights.gradients_resident) {
      add({.name = "gradients",
           .bytes = weights.gradient_kept,
           .dtype = weights.gradient_dtype,
           .category = Category::gradients,
           .pool = Pool::communication,
           .lifetime = Lifetime::until_optimizer,
           .born = last,
           .freed = last});
    }
  }

  void transient(Name name, Bytes bytes, std::int16_t born, std::int16_t freed, Category category) {
    if (bytes > Bytes{}) {
      const Pool pool = category == Category::communication ? Pool::communication : Pool::compute;
      add({.name = name,
           .bytes = bytes,
           .category = category,
           .pool = pool,
           .lifetime = Lifetime::within,
           .born = born,
           .freed = freed});
    }
  }

  void whole_segment(Name name, Bytes bytes, Category category) {
    const auto last = static_cast<std::int16_t>(std::max<std::int16_t>(next_op(), 1) - 1);
    transient(name, bytes, 0, last, category);
  }

  void add(const Tensor& tensor) { program_.tensors.push_back(tensor); }

  std::int16_t next_op() const {
    return static_cast<std::int16_t>(static_cast<std::int32_t>(program_.ops.size()) - segment_.first_op);
  }
  std::int16_t born(std::size_t v) const { return born_[v]; }
  std::int16_t last_use(std::size_t v) const { return last_use_[v]; }
  std::int16_t backward_use(std::size_t v) const { return backward_use_[v]; }

  Segment finish() {
    segment_.op_count = static_cast<std::int32_t>(program_.ops.size()) - segment_.first_op;
    segment_.tensor_count = static_cast<std::int32_t>(program_.tensors.size()) - segment_.first_tensor;
    return segment_;
  }

 private:
  static std::size_t index(ValueId id) { return static_cast<std::size_t>(id); }

  std::int16_t push(Name name, Pass pass, Stream stream, const Work& work) {
    const std::int16_t op = next_op();
    // A collective on another stream waits for the op before it, and the next compute op waits for the collective.
    const bool meets = op > 0 && program_.ops.back().stream != stream;
    program_.ops.push_back({.name = name,
                            .pass = pass,
                            .stream = stream,
                            .depends_on = meets ? static_cast<std::int16_t>(op - 1) : kUnset,
                            .work = work});
    return op;
  }

  Category temporary_category(const Node& node) const {
    return node.output != kNoValue && graph_.value(node.output).category == Category::logits_and_loss
               ? Category::logits_and_loss
               : Category::temporary;
  }
  static Category gradient_category(const Value& value) { return value.category; }

  void gradients_of_inputs(const Node& node,
                           std::int16_t first,
                           std::int16_t last,
                           std::array<std::int16_t, kMostValues>& gradient_born) {
    const bool joins_residual = node.output != kNoValue && graph_.value(node.output).residual;
    for (const ValueId input : node.inputs) {
      if (input == kNoValue || joins_residual) {
        continue;  // the gradient of a sum is the gradient of its terms: no tensor of their own
      }
      const Value& value = graph_.value(input);
      if (value.residual) {
        transient(value.name,
                  value.bytes,
                  first,
                  last,
                  Category::activations);  // added to the residual's gradient, then gone
      } else if (needs_gradient_tensor(value)) {
        if (gradient_born[index(input)] == kUnset) {
          gradient_born[index(input)] = first;
        } else {
          transient(value.name, value.bytes, first, last, value.category);  // a second contribution before it is added
        }
      }
    }
  }

  void weight_gradient(const Node& node, std::int16_t op, const GatheredWeights& weights) {
    if (!(node.weight_gradient > Bytes{})) {
      return;
    }
    const bool stays = weights.keeps_weight_gradients && !weights.gradients_resident;
    const bool until_reduction = !weights.keeps_weight_gradients && !weights.gradients_resident;
    const std::int16_t end = until_reduction ? kToSegmentEnd : op;
    add({.name = node.name,
         .bytes = node.weight_gradient,
         .dtype = weights.gradient_dtype,
         .category = Category::gradients,
         .lifetime = stays ? Lifetime::until_optimizer : Lifetime::within,
         .born = op,
         .freed = end});
  }

 public:
  /// Placeholder for "the last op", known only when the segment is complete.
  static constexpr std::int16_t kToSegmentEnd = 32767;

  void close_open_ends() {
    const auto last = static_cast<std::int16_t>(std::max<std::int16_t>(next_op(), 1) - 1);
    for (std::size_t i = static_cast<std::size_t>(segment_.first_tensor); i < program_.tensors.size(); ++i) {
      if (program_.tensors[i].freed == kToSegmentEnd) {
        program_.tensors[i].freed = last;
      }
    }
  }

 private:
  const LayerGraph& graph_;
  StepProgram& program_;
  Segment segment_;
  std::array<std::int16_t, kMostValues> born_{};
  std::array<std::int16_t, kMostValues> last_use_{};
  std::array<std::int16_t, kMostValues> backward_use_ = [] {
    std::array<std::int16_t, kMostValues> a{};
    a.fill(kUnset);
    return a;
  }();
};

namespace {

std::array<bool, kMostValues> every_node() {
  std::array<bool, kMostValues> run{};
  run.fill(true);
  return run;
}

std::array<bool, kMostValues> saved_values(const LayerGraph& graph) {
  std::array<bool, kMostValues> saved{};
  for (const Node& node : graph.nodes()) {
    for (const ValueId v : node.saves) {
      if (v != kNoValue) {
        saved[static_cast<std::size_t>(v)] = true;
      }
    }
  }
  return saved;
}

bool is_kept(const LayerGraph& graph, std::size_t v, KeepPolicy keep, const std::array<bool, kMostValues>& saved) {
  const Value& value = graph.values()[v];
  switch (keep) {
    case KeepPolicy::all_saved:
      return saved[v];
    case KeepPolicy::policy:
      return v == 0 || value.policy_keeps;
    case KeepPolicy::input_only:
      return v == 0;
  }
  return false;
}

Tensor tensor_of(const Value& value, Lifetime lifetime, std::int16_t born, std::int16_t freed) {
  return {.name = value.name,
          .bytes = value.bytes,
          .dtype = value.dtype,
          .category = value.category,
          .lifetime = lifetime,
          .born = born,
          .freed = freed};
}

/// Nodes to run again so that every saved value that was not kept exists, walking from what is missing to what makes
/// it.
std::array<bool, kMostValues> nodes_to_recompute(const LayerGraph& graph,
                                                 KeepPolicy keep,
                                                 const std::array<bool, kMostValues>& saved) {
  std::array<bool, kMostValues> run{};
  std::array<bool, kMostValues> wanted{};
  for (std::size_t v = 0; v < graph.values().size(); ++v) {
    wanted[v] = saved[v] && !is_kept(graph, v, keep, saved);
  }
  for (std::size_t n = graph.nodes().size(); n-- > 0;) {
    const Node& node = graph.nodes()[n];
    const auto out = static_cast<std::size_t>(node.output);
    const bool forced = keep == KeepPolicy::policy && node.policy_recomputes;
    if (node.output == kNoValue || !(wanted[out] || forced)) {
      continue;
    }
    run[n] = true;
    for (const ValueId input : node.inputs) {
      if (input != kNoValue && !is_kept(graph, static_cast<std::size_t>(input), keep, saved)) {
        wanted[static_cast<std::size_t>(input)] = true;
      }
    }
  }
  return run;
}

}  // namespace

Segment LayerGraph::emit_forward(SegmentKind kind,
                                 KeepPolicy keep,
                                 const GatheredWeights& weights,
                                 StepProgram& program) const {
  SegmentEmitter emitter(*this, kind, program);
  const std::array<bool, kMostValues> saved = saved_values(*this);
  emitter.gather(weights.gather_message, weights.group);
  emitter.run_forward(Pass::forward, every_node());
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const std::int16_t born = std::max<std::int16_t>(emitter.born(v), 0);
    const bool kept = is_kept(*this, v, keep, saved);
    emitter.add(
        tensor_of(values_[v], kept ? Lifetime::kept : Lifetime::within, born, std::max(born, emitter.last_use(v))));
  }
  emitter.whole_segment("gathered_weights", weights.forward, Category::communication);
  return emitter.finish();
}

Segment LayerGraph::emit_evaluation(SegmentKind kind, const GatheredWeights& weights, StepProgram& program) const {
  SegmentEmitter emitter(*this, kind, program);
  emitter.gather(weights.gather_message, weights.group);
  emitter.run_forward(Pass::forward, every_node());
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const std::int16_t born = std::max<std::int16_t>(emitter.born(v), 0);
    emitter.add(tensor_of(values_[v], Lifetime::within, born, std::max(born, emitter.last_use(v))));
  }
  emitter.whole_segment("gathered_weights", weights.forward, Category::communication);
  return emitter.finish();
}

Segment LayerGraph::emit_backward(SegmentKind kind,
                                  KeepPolicy keep,
                                  const GatheredWeights& weights,
                                  StepProgram& program) const {
  SegmentEmitter emitter(*this, kind, program);
  const std::array<bool, kMostValues> saved = saved_values(*this);
  if (weights.gather_in_backward) {
    emitter.gather(weights.gather_message, weights.group);
  }
  emitter.run_forward(Pass::recompute, nodes_to_recompute(*this, keep, saved));
  emitter.run_backward(weights);
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const std::int16_t freed = std::max({emitter.last_use(v), emitter.backward_use(v), std::int16_t{0}});
    if (is_kept(*this, v, keep, saved)) {
      emitter.add(tensor_of(values_[v], Lifetime::released, 0, freed));
    } else if (emitter.born(v) != kUnset) {
      emitter.add(tensor_of(values_[v], Lifetime::within, emitter.born(v), std::max(freed, emitter.born(v))));
    }
  }
  emitter.reduce(weights);
  emitter.close_open_ends();
  if (!values_.empty()) {
    emitter.whole_segment("residual_gradient", values_[0].bytes, Category::activations);
  }
  emitter.whole_segment("gathered_weights", weights.backward, Category::communication);
  return emitter.finish();
}

Segment LayerGraph::emit_forward_backward(SegmentKind kind,
                                          const GatheredWeights& weights,
                                          StepProgram& program) const {
  SegmentEmitter emitter(*this, kind, program);
  const std::array<bool, kMostValues> saved = saved_values(*this);
  emitter.gather(weights.gather_message, weights.group);
  emitter.run_forward(Pass::forward, every_node());
  emitter.run_backward(weights);
  for (std::size_t v = 0; v < values_.size(); ++v) {
    const std::int16_t born = std::max<std::int16_t>(emitter.born(v), 0);
    const std::int16_t freed = saved[v] ? emitter.backward_use(v) : emitter.last_use(v);
    emitter.add(tensor_of(values_[v], Lifetime::within, born, std::max(freed, born)));
  }
  emitter.reduce(weights);
  emitter.close_open_ends();
  emitter.whole_segment("gathered_weights", weights.backward, Category::communication);
  return emitter.finish();
}

}  // namespace mekiki
