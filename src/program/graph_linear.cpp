#include <algorithm>
#include <cmath>

#include "program/layer_graph_builder.h"
#include "program/sharding.h"

namespace mekiki {
namespace {

// Kernels that a layer launches on top, counted on the eager modules: a low-precision product scales and casts both
// operands and keeps a maximum; a 4-bit weight is unpacked; an adapter adds two products, a scaling and a sum.
constexpr float kCastsPerProduct = 3, kDequantiseKernels = 1, kKernelsPerAdapterMatrix = 2;

}  // namespace

LayerGraphBuilder::LocalShape LayerGraphBuilder::local_shape(const LinearOp& linear, double rows) const {
  const auto in = static_cast<double>(linear.in), out = static_cast<double>(linear.out);
  switch (linear.split) {
    case LinearSplit::column:
      return {rows, in, out / block_ranks_, 1};
    case LinearSplit::row:
      return {rows, in / block_ranks_, out, 1};
    case LinearSplit::replicated:
      return {rows, in, out, 1};
    case LinearSplit::expert_column:
    case LinearSplit::expert_row: {
      const double local =
          std::max(1.0, static_cast<double>(linear.copies) / static_cast<double>(c_.layout.expert_parallel));
      const auto split = static_cast<double>(c_.layout.expert_tensor_parallel);
      const bool widens = linear.split == LinearSplit::expert_column;
      return {rows / local, widens ? in : in / split, widens ? out / split : out, local};
    }
  }
  return {rows, in, out, 1};
}

bool LayerGraphBuilder::continues_projection() const {
  return in_projection_ && projected_.size() > 0 && memory_.projections != ProjectionLayout::apart;
}

ValueId LayerGraphBuilder::product_input(ValueId source) {
  if (!continues_projection()) {
    projection_input_ = cast_for_product(source);
  }
  return projection_input_;
}

ValueId LayerGraphBuilder::linear_layer(const LinearOp& linear, bool adapted, ValueId source) {
  const Dtype compute = job_.dtypes.compute;
  const ValueId x = product_input(source);
  const Value input = graph_.value(x);
  const auto full_in = static_cast<double>(linear.in) / (linear.split == LinearSplit::row ? block_ranks_ : 1.0);
  // A narrow product may read only the first channels of what waits, so the width of its input says nothing.
  const bool reads_part = linear.input == OpInput::last && !is_expert(linear.split);
  const double rows = reads_part ? tokens_ : input.bytes / bytes_per_element(input.dtype) / full_in;
  const LocalShape shape = local_shape(linear, rows);
  const bool quantized = is_quantized(linear);
  const Dtype result = quantized && memory_.quantized_output_as_input ? graph_.value(source).dtype : compute;
  const ValueId y = graph_.add_value(linear.name, bytes(rows * shape.out, result), result);
  Node node{.name = linear.name, .inputs = {x}, .output = y};
  const Dtype product = product_dtype(linear);
  node.forward = GemmWork{shape.tokens, shape.out, shape.in, shape.count, product};
  node.backward[0] = GemmWork{shape.tokens, shape.in, shape.out, shape.count, product};
  if (trains_base()) {
    node.backward[1] = GemmWork{shape.in, shape.out, shape.tokens, shape.count, product};
    node.weight_gradient = bytes(shape.in * shape.out * shape.count, c_.weight_gradient);
    node.saves[0] = x;
  }
  if (casts_weights()) {
    node.saves[1] = cast_weight(shape.in * shape.out * shape.count, x);
  }
  if (quantized && memory_.quantized_input_kept) {
    node.saves[0] = x;
  }
  if (quantized) {
    dequantise(shape, node);
  } else if (trains_base() && c_.adds_to_buffer) {
    // Read and written once more than the product alone writes.
    node.backward[2] = MemoryWork{bytes(2.0 * shape.in * shape.out * shape.count, Dtype::fp32), false};
  }
  if (product != compute) {
    node.extra_kernels += kCastsPerProduct;
  }
  if (is_expert(linear.split)) {
    node.extra_kernels += static_cast<float>(shape.count * c_.profile->time.kernels_per_expert);
  }
  keep_by_policy(linear, y);
  graph_.add_node(node);
  return adapted ? adapter(linear, shape, rows, source, y) : y;
}

ValueId LayerGraphBuilder::cast_weight(double elements, ValueId from) {
  const ValueId copy = side_value("cast_weight", elements, job_.dtypes.compute, from);
  graph_.value(copy).category = Category::weights;
  return copy;
}

void LayerGraphBuilder::dequantise(const LocalShape& shape, Node& node) {
  const Bytes wide = bytes(shape.in * shape.out, job_.dtypes.compute);
  node.forward_temporary = node.backward_temporary = wide;
  // Once for every product: the packed weight is read, the wide one written.
  const Bytes packed = shape.in * shape.out * bytes_per_quantized_weight(job_);
  const MemoryWork work{shape.count * (wide + packed), false};
  node.backward[2] = work;
  node.extra_kernels += kDequantiseKernels;
  graph_.add_node({.name = "dequantise", .forward = work});
}

Dtype LayerGraphBuilder::product_dtype(const LinearOp& linear) const {
  return linear.decides ? job_.dtypes.compute : arithmetic_of(job_);
}

void LayerGraphBuilder::keep_by_policy(const LinearOp& linear, ValueId output) {
  // Grouped products of experts are none of the products that such a policy knows.
  if (memory_.selective_policy != "every_second_matmul" || linear.decides || is_expert(linear.split)) {
    return;
  }
  products_ += continues_projection() ? 0 : 1;
  graph_.value(output).policy_keeps = products_ % 2 == 1;
}

ValueId LayerGraphBuilder::adapter(
    const LinearOp& linear, const LocalShape& shape, double rows, ValueId source, ValueId y) {
  const Dtype compute = job_.dtypes.compute;
  const auto rank = static_cast<double>(job_.lora.rank);
  const double adapter_bytes = bytes_per_element(job_.dtypes.adapter) / kByte;
  const ValueId kept = adapter_input(source, rows * shape.in);
  // The two products run in the adapter's dtype unless autocast narrows them.
  const Dtype narrow = job_.dtypes.autocast || fused_ ? compute : job_.dtypes.adapter;
  const bool casts_adapter = job_.dtypes.autocast && job_.dtypes.adapter == Dtype::fp32;
  const ValueId a = graph_.add_value("lora_A", bytes(rows * rank, narrow), narrow);
  Node down{.name = "lora_A", .inputs = {kept}, .saves = {kept}, .output = a};
  if (casts_adapter) {
    down.saves[1] = cast_weight(rank * shape.in * shape.count, kept);
  }
  down.extra_kernels = kKernelsPerAdapterMatrix;
  down.forward = GemmWork{shape.tokens, rank, shape.in, shape.count, compute};
  down.backward[0] = GemmWork{shape.tokens, shape.in, rank, shape.count, compute};
  down.backward[1] = GemmWork{shape.in, rank, shape.tokens, shape.count, compute};
  down.weight_gradient = Bytes{rank * shape.in * shape.count * adapter_bytes};
  graph_.add_node(down);
  const Value product = graph_.value(y);
  const ValueId sum = graph_.add_value(linear.name, product.bytes, product.dtype);
  Node up{.name = "lora_B", .inputs = {a, y}, .saves = {a}, .output = sum};
  if (casts_adapter) {
    up.saves[2] = cast_weight(rank * shape.out * shape.count, a);
  }
  up.extra_kernels = kKernelsPerAdapterMatrix;
  up.forward = GemmWork{shape.tokens, shape.out, rank, shape.count, compute};
  up.backward[0] = GemmWork{shape.tokens, rank, shape.out, shape.count, compute};
  up.backward[1] = GemmWork{rank, shape.out, shape.tokens, shape.count, compute};
  up.backward[2] = MemoryWork{3.0 * product.bytes * c_.profile->time.lora_traffic};
  up.weight_gradient = Bytes{rank * shape.out * shape.count * adapter_bytes};
  if (job_.lora.dora) {
    decompose(shape, rows, y, a, up);
  } else if (memory_.adapter_output_kept && in_projection_ && adapts_some_projections_) {
    up.saves[1] = side_value("adapter_output", rows * shape.out, compute, a);
  }
  graph_.add_node(up);
  return sum;
}

/// The sum of product and adapter is scaled by a trained magnitude over the norm of the merged weight, which is made
/// anew in every pass. Kept: both terms, for the gradient of the magnitude. Source: arXiv 2402.09353, sections 4.1 and
/// 4.3; the order of ops is that of the usual Python library (DoraLinearLayer: x_eye, lora_weight, weight_norm).
void LayerGraphBuilder::decompose(const LocalShape& shape, double rows, ValueId y, ValueId from, Node& up) {
  const Dtype compute = job_.dtypes.compute;
  const double weight = shape.in * shape.out;
  const auto rank = static_cast<double>(job_.lora.rank);
  up.saves[1] = side_value("adapter_output", rows * shape.out, compute, from);
  up.saves[2] = y;
  up.weight_gradient += Bytes{shape.out * shape.count * bytes_per_element(job_.dtypes.adapter) / kByte};
  // The identity, the adapter as a matrix, the weight in the compute dtype and their sum.
  up.forward_temporary = bytes(shape.in * shape.in + 3.0 * weight, compute);
  up.forward_temporaries = 4;
  const GemmWork merged{shape.in, shape.out, rank, shape.count, compute};
  graph_.add_node({.name = "merged_adapter", .forward = merged});
  graph_.add_node({.name = "weight_norm", .forward = MemoryWork{shape.count * bytes(5.0 * weight, compute), false}});
  const Bytes result = bytes(rows * shape.out, compute);
  up.backward[2] = MemoryWork{7.0 * result * c_.profile->time.lora_traffic};
}

ValueId LayerGraphBuilder::adapter_input(ValueId source, double elements) {
  if (continues_projection() && source == adapter_source_) {
    return adapter_kept_;
  }
  const Dtype dtype = job_.dtypes.autocast || fused_ ? job_.dtypes.compute : job_.dtypes.adapter;
  ValueId kept = source;
  // Cast to the adapter's dtype first, and from there to the product's.
  const bool differs = graph_.value(source).dtype != job_.dtypes.adapter || dtype != job_.dtypes.adapter;
  if (job_.lora.dropout > 0.0) {
    const Bytes copy = Bytes{elements * (bytes_per_element(dtype) / kByte + 1.0)};
    kept = graph_.add_value("adapter_input", copy, dtype);
  } else if (differs && !fused_) {
    kept = graph_.add_value("adapter_input", bytes(elements, dtype), dtype);
  }
  if (kept != source) {
    graph_.value(kept).has_gradient = false;
    graph_.add_node({.name = "adapter_input",
                     .forward = MemoryWork{2.0 * graph_.value(kept).bytes},
                     .inputs = {source},
                     .output = kept});
  }
  adapter_source_ = source;
  adapter_kept_ = kept;
  return kept;
}

}  // namespace mekiki
