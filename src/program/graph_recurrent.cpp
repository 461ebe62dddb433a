#include <algorithm>

#include "program/layer_graph_builder.h"

namespace mekiki {

void LayerGraphBuilder::recurrent_op(const ModelOp& op, Chain& chain) {
  if (const auto* convolution = std::get_if<ConvolutionOp>(&op)) {
    chain.pending[0] = convolved(*convolution, chain.pending[0]);
  } else if (const auto* scan = std::get_if<ScanOp>(&op)) {
    chain.source = scanned(*scan, chain);
    chain.after_core = true;
  } else if (const auto* gate = std::get_if<GateOp>(&op)) {
    chain.source = gated(*gate, chain);
    chain.after_core = true;
  }
}

ValueId LayerGraphBuilder::convolved(const ConvolutionOp& convolution, ValueId x) {
  const Dtype compute = job_.dtypes.compute;
  const double elements = tokens_ * static_cast<double>(convolution.width) / block_ranks_;
  const ValueId y = graph_.add_value(convolution.name, bytes(elements, compute), compute);
  const Bytes traffic = graph_.value(y).bytes;
  graph_.add_node({.name = convolution.name,
                   .forward = MemoryWork{2.0 * traffic},
                   .backward = {Work{MemoryWork{4.0 * traffic}}},
                   .inputs = {x},
                   .saves = {x},
                   .output = y});
  return y;
}

ValueId LayerGraphBuilder::scanned(const ScanOp& scan, Chain& chain) {
  const Dtype compute = job_.dtypes.compute;
  const double heads = std::max(1.0, static_cast<double>(scan.heads) / block_ranks_);
  const auto key = static_cast<double>(scan.key_dim), value = static_cast<double>(scan.value_dim);
  const ValueId y = graph_.add_value(scan.name, bytes(tokens_ * heads * value, compute), compute);
  Node node{.name = scan.name, .output = y};
  Bytes traffic = graph_.value(y).bytes;
  for (std::size_t i = 0; i < std::min(chain.pending.size(), NodeValues::kMost); ++i) {
    node.inputs[i] = node.saves[i] = chain.pending[i];
    traffic += graph_.value(chain.pending[i]).bytes;
  }
  if (scan.chunk > 1) {
    const auto chunk = static_cast<double>(scan.chunk);
    const double pieces = heads * tokens_ / chunk;
    const GemmWork within{chunk, key + value, chunk, pieces, compute};
    const GemmWork state{key, value, chunk, 2.0 * pieces, compute};
    // What passes from chunk to chunk is small; both products of the forward come back twice in backward.
    node.forward = within;
    node.backward = {Work{within}, Work{within}};
    graph_.add_node({.name = "state_update", .forward = state, .backward = {Work{state}, Work{state}}});
  } else {
    node.forward = MemoryWork{traffic, false};
    node.backward[0] = MemoryWork{2.0 * traffic, false};
  }
  graph_.add_node(node);
  chain.pending.clear();
  return y;
}

ValueId LayerGraphBuilder::gated(const GateOp& gate, Chain& chain) {
  const Dtype compute = job_.dtypes.compute;
  const ValueId x = chain.after_core ? chain.source : chain.pending[0];
  chain.pending.clear();
  const ValueId y = graph_.add_value(
      "gated_output", bytes(tokens_ * static_cast<double>(gate.width) / block_ranks_, compute), compute);
  const Bytes traffic = graph_.value(y).bytes;
  Node node{.name = "gate",
            .forward = MemoryWork{3.0 * traffic},
            .backward = {Work{MemoryWork{5.0 * traffic}}},
            .inputs = {x},
            .saves = {x},
            .output = y};
  if (chain.gate != kNoValue) {
    node.inputs[1] = node.saves[1] = chain.gate;
  }
  graph_.add_node(node);
  return y;
}

}  // namespace mekiki
