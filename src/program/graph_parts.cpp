#include <algorithm>
#include <cmath>

#include "program/layer_graph_builder.h"

namespace mekiki {

ValueId LayerGraphBuilder::norm(ValueId x, NormKind kind, int count) {
  if (kind == NormKind::none || count == 0) {
    return x;
  }
  const Value input = graph_.value(x);
  const double elements = input.bytes / bytes_per_element(input.dtype);
  const NormShape shape{kind, elements, elements / hidden_};
  // torch.autocast runs the layer norm's own kernel in fp32, and hands on what it returns.
  const bool widened = job_.dtypes.autocast && !fused_ && kind != NormKind::rms && !wide_norm_;
  const Dtype result = widened ? Dtype::fp32 : input.dtype;
  const ValueId y = graph_.add_value("norm_output", bytes(elements, result), result);
  Node node{.name = "norm",
            .forward = MemoryWork{2.0 * input.bytes},
            .backward = {Work{MemoryWork{3.0 * input.bytes}}},
            .inputs = {x},
            .output = y};
  keep_for_norm(shape, x, node);
  if (trains_base()) {
    node.weight_gradient = bytes(hidden_, c_.weight_gradient);
  }
  graph_.add_node(node);
  return y;
}

void LayerGraphBuilder::keep_for_norm(const NormShape& shape, ValueId x, Node& node) {
  const Dtype dtype = graph_.value(x).dtype;
  const auto wide_copy = [&](Name name) { return side_value(name, shape.elements, Dtype::fp32, x); };
  const bool root_mean_square = shape.kind == NormKind::rms;
  const bool all_wide = memory_.norm == NormImplementation::eager_wide;
  const bool eager = (memory_.norm == NormImplementation::eager_fp32 || all_wide) && !job_.compile;
  const bool composed = eager && (root_mean_square || wide_norm_);
  const bool autocast = job_.dtypes.autocast && !fused_ && !root_mean_square;
  const bool reads_wide = composed || autocast || (eager && shape.kind == NormKind::layer_norm_no_weight);
  node.saves[0] = reads_wide && dtype != Dtype::fp32 ? wide_copy("norm_input_fp32") : x;
  if (composed && trains_base()) {
    const Dtype normalised = wide_norm_ || all_wide ? Dtype::fp32 : dtype;
    node.saves[1] = side_value("normalised_input", shape.elements, normalised, x);
  }
  if (composed && !root_mean_square) {
    // Centred twice: for the variance and for the result. The input itself is not needed again.
    node.saves[0] = wide_copy("centred_input");
    node.saves[2] = wide_copy("centred_input");
  }
  const bool copies_weight = memory_.norm_weight_copied && job_.dtypes.weights != Dtype::fp32;
  if (composed && (copies_weight || offset_norm_)) {
    node.saves[4] = side_value("norm_weight_fp32", shape.elements / shape.rows, Dtype::fp32, x);
  }
  const double statistics = root_mean_square || composed ? 1.0 : 2.0;  // a layer norm's kernel keeps the mean too
  node.saves[3] = side_value("norm_statistics", shape.rows * statistics, Dtype::fp32, x);
}

ValueId LayerGraphBuilder::side_value(Name name, double elements, Dtype dtype, ValueId from) {
  const ValueId id = graph_.add_value(name, bytes(elements, dtype), dtype);
  graph_.value(id).has_gradient = false;
  graph_.add_node({.name = name, .inputs = {from}, .output = id});
  return id;
}

ValueId LayerGraphBuilder::gathered(ValueId x) {
  if (tensor_ranks_ == 1 || !c_.layout.sequence_parallel) {
    return x;
  }
  const Value input = graph_.value(x);
  const Bytes whole = input.bytes * tensor_ranks_;
  const ValueId y = graph_.add_value("gathered_input", whole, input.dtype);
  graph_.add_node({.name = "gather_tokens",
                   .forward = CollectiveWork{Collective::all_gather, RankGroup::tensor, whole},
                   .backward = {Work{CollectiveWork{Collective::reduce_scatter, RankGroup::tensor, whole}}},
                   .stream = Stream::tensor_communication,
                   .backward_stream = Stream::tensor_communication,
                   .inputs = {x},
                   .output = y});
  return y;
}

ValueId LayerGraphBuilder::reduced(ValueId x) {
  if (tensor_ranks_ == 1) {
    return x;
  }
  const Value input = graph_.value(x);
  const bool scatter = c_.layout.sequence_parallel;
  const ValueId y =
      graph_.add_value("reduced_output", scatter ? input.bytes / tensor_ranks_ : input.bytes, input.dtype);
  // Without sequence parallelism the matching all-reduce of backward belongs to the block's input; it is counted
  // here, once a block.
  graph_.add_node({.name = "reduce_output",
                   .forward = CollectiveWork{scatter ? Collective::reduce_scatter : Collective::all_reduce,
                                             RankGroup::tensor,
                                             input.bytes},
                   .backward = {Work{CollectiveWork{
                       scatter ? Collective::all_gather : Collective::all_reduce, RankGroup::tensor, input.bytes}}},
                   .stream = Stream::tensor_communication,
                   .backward_stream = Stream::tensor_communication,
                   .inputs = {x},
                   .output = y});
  return y;
}

ValueId LayerGraphBuilder::add_to_residual(ValueId residual, ValueId branch) {
  const Value& stream = graph_.value(residual);
  const Bytes size = stream.bytes;
  const ValueId sum = graph_.add_value("residual", size, stream.dtype);
  graph_.value(sum).residual = true;
  graph_.add_node({.name = "residual_add",
                   .forward = MemoryWork{3.0 * size},
                   .backward = {Work{MemoryWork{size}}},
                   .inputs = {residual, branch},
                   .output = sum});
  return sum;
}

ValueId LayerGraphBuilder::cast_for_product(ValueId x) {
  if (!job_.dtypes.autocast || graph_.value(x).dtype != Dtype::fp32) {
    return x;
  }
  const Value input = graph_.value(x);
  const double elements = input.bytes / bytes_per_element(input.dtype);
  const ValueId y = graph_.add_value("cast_input", bytes(elements, job_.dtypes.compute), job_.dtypes.compute);
  graph_.add_node({.name = "cast",
                   .forward = MemoryWork{1.5 * input.bytes},
                   .backward = {Work{MemoryWork{1.5 * input.bytes}}},
                   .inputs = {x},
                   .output = y});
  return y;
}

LayerGraph LayerGraphBuilder::build_embedding() {
  const double rows = tokens_;
  const ValueId ids = graph_.add_input("token_ids", bytes(rows * 2.0, Dtype::fp32), Dtype::fp32);  // 64-bit integers
  graph_.value(ids).has_gradient = false;
  ValueId out =
      graph_.add_value("embedding_output", bytes(outer_tokens_ * hidden_, residual_dtype()), residual_dtype());
  graph_.value(out).residual = true;
  const Bytes table =
      trains_base() ? bytes(vocabulary_rows(c_) * static_cast<double>(c_.model->embedding_size), c_.weight_gradient)
                    : Bytes{};
  const Bytes traffic = 2.0 * graph_.value(out).bytes;
  graph_.add_node({.name = "embedding",
                   .forward = MemoryWork{traffic},
                   .backward = {Work{MemoryWork{traffic + table}}},
                   .inputs = {ids},
                   .output = out,
                   .weight_gradient = table});
  return std::move(graph_);
}

double LayerGraphBuilder::loss_bytes_per_logit() const {
  const LossRule& loss = job_.loss;
  if (tensor_ranks_ > 1 && loss.tensor_parallel_bytes_per_logit > 0) {
    return loss.tensor_parallel_bytes_per_logit;
  }
  if (job_.compile && loss.compiled_bytes_per_logit > 0) {
    return loss.compiled_bytes_per_logit;
  }
  const bool narrow = !job_.dtypes.autocast && job_.dtypes.compute != Dtype::fp32;
  return narrow && loss.narrow_bytes_per_logit > 0 ? loss.narrow_bytes_per_logit : loss.bytes_per_logit;
}

namespace {

/// What a loss holds besides the logits are fp32 tensors of their shape: the copy, its softmax, its gradient.
int fp32_copies(double bytes_per_logit) {
  return std::max(1, static_cast<int>(std::ceil(bytes_per_logit / 4.0)));
}

}  // namespace

LayerGraph LayerGraphBuilder::build_head() {
  const Dtype compute = job_.dtypes.compute;
  const double vocabulary = vocabulary_rows(c_);
  const ValueId in =
      graph_.add_input("last_hidden", bytes(outer_tokens_ * hidden_, residual_dtype()), residual_dtype());
  ValueId normed = norm(in, c_.model->final_norm, c_.model->final_norm == NormKind::none ? 0 : 1);
  normed = gathered(normed);
  normed = cast_for_product(normed);
  const double elements = tokens_ * (job_.loss.gathers_logits ? vocabulary * tensor_ranks_ : vocabulary);
  const auto chunks = static_cast<double>(std::max<std::int64_t>(job_.loss.chunks, 1));
  const double per_logit = loss_bytes_per_logit() / chunks;
  const double logit_bytes = std::min(per_logit, bytes_per_element(compute) / kByte / chunks);
  const ValueId logits = graph_.add_value("logits", Bytes{elements * logit_bytes}, compute, Category::logits_and_loss);
  Node product{.name = "lm_head", .inputs = {normed}, .output = logits};
  const auto width = static_cast<double>(c_.model->embedding_size);
  product.forward = GemmWork{tokens_, vocabulary, width, 1, compute};
  product.backward[0] = GemmWork{tokens_, width, vocabulary, 1, compute};
  if (trains_base()) {
    product.backward[1] = GemmWork{width, vocabulary, tokens_, 1, compute};
    product.weight_gradient = bytes(vocabulary * width, c_.weight_gradient);
    product.saves[0] = normed;
  }
  if (casts_weights()) {
    product.saves[1] = cast_weight(vocabulary * width, normed);
  }
  graph_.add_node(product);
  const ValueId loss = graph_.add_value("loss", Bytes{4.0}, Dtype::fp32, Category::logits_and_loss);
  const Bytes traffic = Bytes{elements * c_.profile->time.loss_traffic_per_logit};
  graph_.add_node({.name = "cross_entropy",
                   .forward = MemoryWork{0.4 * traffic, false},
                   .backward = {Work{MemoryWork{0.6 * traffic, false}}},
                   .inputs = {logits},
                   .saves = {logits},
                   .output = loss,
                   .forward_temporary = Bytes{elements * (per_logit - logit_bytes)},
                   .forward_temporaries = fp32_copies(per_logit - logit_bytes)});
  return std::move(graph_);
}

}  // namespace mekiki
