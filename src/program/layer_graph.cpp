#include "program/layer_graph.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace mekiki {
namespace {

/// Builds the graph of one layer block by block. Shapes in comments: t tokens of the rank, h hidden size.
class LayerGraphBuilder {
 public:
  explicit LayerGraphBuilder(const GraphContext& context)
      : c_(context),
        job_(*context.job),
        memory_(context.profile->memory),
        tokens_(context.tokens()),
        outer_tokens_(context.tokens_between_blocks()),
        hidden_(static_cast<double>(context.model->hidden_size)),
        tensor_ranks_(static_cast<double>(context.layout.tensor_parallel)),
        block_ranks_(tensor_ranks_),
        fused_(job_.compile || memory_.norm == NormImplementation::fused) {}

  LayerGraph build(const PreparedLayer& layer) {
    ValueId residual =
        graph_.add_input("layer_input", bytes(outer_tokens_ * hidden_, residual_dtype()), residual_dtype());
    ValueId shared_norm = kNoValue;  // parallel blocks may read one norm
    for (const PreparedBlock& block : layer.blocks) {
      const ValueId normed = block.norms_before > 0 || shared_norm == kNoValue
                                 ? norm(residual, layer.norm, block.norms_before)
                                 : shared_norm;
      shared_norm = normed;
      ValueId out = block_output(block, normed);
      for (int i = 0; i < block.norms_after; ++i) {
        out = norm(out, layer.norm, 1);
      }
      residual = add_to_residual(residual, out);
    }
    return std::move(graph_);
  }

  LayerGraph build_embedding() {
    const double rows = tokens_;
    const ValueId ids = graph_.add_input("token_ids", bytes(rows * 2.0, Dtype::fp32), Dtype::fp32);  // 64-bit integers
    graph_.value(ids).has_gradient = false;
    ValueId out =
        graph_.add_value("embedding_output", bytes(outer_tokens_ * hidden_, residual_dtype()), residual_dtype());
    graph_.value(out).residual = true;
    const Bytes table = trains_base() ? bytes(vocabulary_rows(c_) * hidden_, c_.weight_gradient) : Bytes{};
    const Bytes traffic = 2.0 * graph_.value(out).bytes;
    graph_.add_node({.name = "embedding",
                     .forward = MemoryWork{traffic},
                     .backward = {Work{MemoryWork{traffic + table}}},
                     .inputs = {ids},
                     .output = out,
                     .weight_gradient = table});
    return std::move(graph_);
  }

  LayerGraph build_head() {
    const Dtype compute = job_.dtypes.compute;
    const double vocabulary = vocabulary_rows(c_);
    const ValueId in =
        graph_.add_input("last_hidden", bytes(outer_tokens_ * hidden_, residual_dtype()), residual_dtype());
    ValueId normed = norm(in, c_.model->final_norm, c_.model->final_norm == NormKind::none ? 0 : 1);
    normed = gathered(normed);
    normed = cast_for_product(normed);
    const double elements = tokens_ * vocabulary;
    const double per_logit =
        job_.loss.bytes_per_logit / static_cast<double>(std::max<std::int64_t>(job_.loss.chunks, 1));
    const double logit_bytes = std::min(per_logit, bytes_per_element(compute) / kByte);
    const ValueId logits =
        graph_.add_value("logits", Bytes{elements * logit_bytes}, compute, Category::logits_and_loss);
    Node product{.name = "lm_head", .inputs = {normed}, .output = logits};
    product.forward = GemmWork{tokens_, vocabulary, hidden_, 1, compute};
    product.backward[0] = GemmWork{tokens_, hidden_, vocabulary, 1, compute};
    if (trains_base()) {
      product.backward[1] = GemmWork{hidden_, vocabulary, tokens_, 1, compute};
      product.weight_gradient = bytes(vocabulary * hidden_, c_.weight_gradient);
      product.saves[0] = normed;
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
                     .forward_temporary = Bytes{elements * (per_logit - logit_bytes)}});
    return std::move(graph_);
  }

 private:
  // ---- small facts of the job
  bool trains_base() const { return !trains_adapters_only(job_.method); }
  Dtype residual_dtype() const { return job_.dtypes.residual; }
  static Bytes bytes(double elements, Dtype dtype) { return elements * bytes_per_element(dtype); }
  bool casts_inputs() const { return job_.dtypes.autocast && residual_dtype() == Dtype::fp32; }

  /// y = norm(x): [t, h] to [t, h]. What stays depends on how the framework writes it.
  ValueId norm(ValueId x, NormKind kind, int count) {
    if (kind == NormKind::none || count == 0) {
      return x;
    }
    const Value input = graph_.value(x);
    const double elements = input.bytes / bytes_per_element(input.dtype);
    const ValueId y = graph_.add_value("norm_output", bytes(elements, input.dtype), input.dtype);
    Node node{.name = "norm",
              .forward = MemoryWork{2.0 * input.bytes},
              .backward = {Work{MemoryWork{3.0 * input.bytes}}},
              .inputs = {x},
              .output = y};
    const bool composed = memory_.norm == NormImplementation::eager_fp32 && kind == NormKind::rms && !job_.compile;
    if (composed) {
      // Checked with saved-tensor hooks on the eager module: the fp32 copy of the input stays, not the input itself,
      // and the normalised input too where the norm's own weight trains.
      node.saves[0] = input.dtype == Dtype::fp32 ? x : side_value("norm_input_fp32", elements, Dtype::fp32, x);
      if (trains_base()) {
        node.saves[1] = side_value("normalised_input", elements, input.dtype, x);
      }
    } else {
      node.saves[0] = x;
    }
    if (trains_base()) {
      node.weight_gradient = bytes(hidden_, c_.weight_gradient);
    }
    graph_.add_node(node);
    return y;
  }

  /// A value that an op makes for itself and keeps: produced by a node without work right before the op.
  ValueId side_value(Name name, double elements, Dtype dtype, ValueId from) {
    const ValueId id = graph_.add_value(name, bytes(elements, dtype), dtype);
    graph_.value(id).has_gradient = false;
    graph_.add_node({.name = name, .inputs = {from}, .output = id});
    return id;
  }

  /// Under sequence parallelism a block first gathers its tokens: [t / tp, h] to [t, h].
  ValueId gathered(ValueId x) {
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

  /// Partial sums of a row-split product become [t between blocks, h].
  ValueId reduced(ValueId x) {
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

  ValueId add_to_residual(ValueId residual, ValueId branch) {
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

  /// torch.autocast over an fp32 residual: each product makes its own 16-bit copy of its input, and keeps that.
  ValueId cast_for_product(ValueId x) {
    if (!casts_inputs() || graph_.value(x).dtype != Dtype::fp32) {
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

  // ---- blocks
  /// Walks the ops of a block. Linear layers before the core (attention or activation) read the block's input, the one
  /// after it reads the core's output; a finished chain adds to the block's output (shared and routed experts are two
  /// chains).
  ValueId block_output(const PreparedBlock& block, ValueId normed) {
    const bool routed = std::any_of(block.ops.begin(), block.ops.end(), [](const PreparedOp& op) {
      const auto* linear = std::get_if<LinearOp>(&op.op);
      return linear != nullptr && linear->split == LinearSplit::expert;
    });
    const bool tokens_stay_split = routed && c_.layout.expert_tensor_parallel == 1;
    const ValueId input = tokens_stay_split ? normed : gathered(normed);
    // Where tokens stay split, a shared expert works on this rank's tokens with its whole width: the same products,
    // otherwise cut.
    block_ranks_ = tokens_stay_split && c_.layout.sequence_parallel ? 1.0 : tensor_ranks_;
    Chain chain{.source = input};
    ValueId output = kNoValue;
    bool partial = false;
    for (const PreparedOp& prepared : block.ops) {
      if (const auto* linear = std::get_if<LinearOp>(&prepared.op)) {
        const bool closes = chain.after_core;
        const ValueId v = linear_layer(*linear, prepared.lora_target, routed_source(*linear, chain, input));
        if (closes) {
          partial = partial || (linear->split == LinearSplit::row && block_ranks_ > 1);
          const ValueId term = linear->split == LinearSplit::expert ? combined_experts(v) : v;
          output = output == kNoValue ? term : summed(output, term);
          chain = {.source = input};
        } else {
          chain.pending.push_back(v);
        }
      } else if (const auto* core = std::get_if<AttentionCoreOp>(&prepared.op)) {
        chain.source = attention(*core, chain, block.rotary);
        chain.after_core = true;
      } else if (const auto* activation = std::get_if<ActivationOp>(&prepared.op)) {
        chain.source = activated(*activation, chain);
        chain.after_core = true;
      } else if (const auto* vector = std::get_if<VectorOp>(&prepared.op);
                 vector != nullptr && vector->role == VectorOp::Role::qk_norm) {
        query_key_norm(chain, *vector);
      }
    }
    block_ranks_ = tensor_ranks_;
    return partial ? reduced(output) : output;
  }

  /// Values that wait for the core of their block; a handful, so without allocation.
  class PendingValues {
   public:
    void push_back(ValueId id) {
      MEKIKI_CHECK(size_ < ids_.size(), "a block has few projections");
      ids_[size_++] = id;
    }
    ValueId& operator[](std::size_t i) { return ids_[i]; }
    ValueId back() const { return ids_[size_ - 1]; }
    std::size_t size() const { return size_; }
    void clear() { size_ = 0; }

   private:
    std::array<ValueId, 8> ids_{};
    std::size_t size_ = 0;
  };

  struct Chain {
    ValueId source = kNoValue;
    PendingValues pending{};
    bool after_core = false;
    bool dispatched = false;
    int normed_projections = 0;
  };

  ValueId summed(ValueId a, ValueId b) {
    const Value left = graph_.value(a);
    const ValueId sum = graph_.add_value("block_sum", left.bytes, left.dtype);
    graph_.add_node({.name = "add",
                     .forward = MemoryWork{3.0 * left.bytes},
                     .backward = {Work{MemoryWork{left.bytes}}},
                     .inputs = {a, b},
                     .output = sum});
    return sum;
  }

  /// Routed experts read the dispatched tokens: each token visits `active` experts, so [t x active, h], over the expert
  /// ranks.
  ValueId routed_source(const LinearOp& linear, Chain& chain, ValueId input) {
    if (linear.split != LinearSplit::expert || chain.after_core) {
      return chain.source;
    }
    if (!chain.dispatched) {
      const Value in = graph_.value(input);
      const Bytes size = in.bytes * static_cast<double>(linear.active);
      const ValueId y = graph_.add_value("dispatched_tokens", size, in.dtype);
      Node node{.name = "dispatch",
                .forward = MemoryWork{2.0 * size},
                .backward = {Work{MemoryWork{2.0 * size}}},
                .inputs = {input},
                .output = y};
      if (c_.layout.expert_parallel > 1) {
        node.forward = CollectiveWork{Collective::all_to_all, RankGroup::expert, size};
        node.backward[1] = CollectiveWork{Collective::all_to_all, RankGroup::expert, size};
        node.stream = node.backward_stream = Stream::tensor_communication;
      }
      graph_.add_node(node);
      chain.dispatched = true;
      chain.source = y;
      dispatch_size_ = size;
    }
    return chain.source;
  }

  ValueId combined_experts(ValueId experts) {
    const Value in = graph_.value(experts);
    const ValueId y = graph_.add_value("combined_experts", bytes(outer_tokens_ * hidden_, in.dtype), in.dtype);
    Node node{.name = "combine",
              .forward = MemoryWork{2.0 * dispatch_size_},
              .backward = {Work{MemoryWork{2.0 * dispatch_size_}}},
              .inputs = {experts},
              .saves = {experts},
              .output = y};
    if (c_.layout.expert_parallel > 1) {
      node.forward = CollectiveWork{Collective::all_to_all, RankGroup::expert, dispatch_size_};
      node.backward[1] = CollectiveWork{Collective::all_to_all, RankGroup::expert, dispatch_size_};
      node.stream = node.backward_stream = Stream::tensor_communication;
    }
    graph_.add_node(node);
    return y;
  }

  struct LocalShape {
    double tokens, in, out, count;
  };

  LocalShape local_shape(const LinearOp& linear, double rows) const {
    const auto in = static_cast<double>(linear.in), out = static_cast<double>(linear.out);
    switch (linear.split) {
      case LinearSplit::column:
        return {rows, in, out / block_ranks_, 1};
      case LinearSplit::row:
        return {rows, in / block_ranks_, out, 1};
      case LinearSplit::replicated:
        return {rows, in, out, 1};
      case LinearSplit::expert: {
        const double local =
            std::max(1.0, static_cast<double>(linear.copies) / static_cast<double>(c_.layout.expert_parallel));
        const auto split = static_cast<double>(c_.layout.expert_tensor_parallel);
        const bool widens = linear.in == c_.model->hidden_size;
        return {rows / local, widens ? in : in / split, widens ? out / split : out, local};
      }
    }
    return {rows, in, out, 1};
  }

  /// y[t, out] = x[t, in] W. Keeps x only where W (or an adapter on it) trains.
  ValueId linear_layer(const LinearOp& linear, bool adapted, ValueId source) {
    const Dtype compute = job_.dtypes.compute;
    const ValueId x = cast_for_product(source);
    const Value input = graph_.value(x);
    const auto full_in = static_cast<double>(linear.in) / (linear.split == LinearSplit::row ? block_ranks_ : 1.0);
    const double rows = input.bytes / bytes_per_element(input.dtype) / full_in;
    const LocalShape shape = local_shape(linear, rows);
    const ValueId y = graph_.add_value(linear.name, bytes(rows * shape.out, compute), compute);
    Node node{.name = linear.name, .inputs = {x}, .output = y};
    const Dtype product = product_dtype(linear);
    node.forward = GemmWork{shape.tokens, shape.out, shape.in, shape.count, product};
    node.backward[0] = GemmWork{shape.tokens, shape.in, shape.out, shape.count, product};
    if (trains_base()) {
      node.backward[1] = GemmWork{shape.in, shape.out, shape.tokens, shape.count, product};
      node.weight_gradient = bytes(shape.in * shape.out * shape.count, c_.weight_gradient);
      node.saves[0] = x;
    }
    if (job_.quantization != Quantization::none && linear.split != LinearSplit::replicated) {
      const Bytes dequantised = bytes(shape.in * shape.out, compute);
      node.forward_temporary = node.backward_temporary = dequantised;
      node.backward[2] = MemoryWork{1.3 * dequantised * shape.count, false};
    }
    keep_by_policy(linear, y);
    graph_.add_node(node);
    return adapted ? adapter(linear, shape, rows, source, y) : y;
  }

  /// The low-precision formats apply to the split linear layers of blocks; routers stay in the compute dtype.
  Dtype product_dtype(const LinearOp& linear) const {
    if (linear.split == LinearSplit::replicated) {
      return job_.dtypes.compute;
    }
    switch (job_.precision) {
      case Precision::fp8:
        return Dtype::fp8;
      case Precision::mxfp8:
        return Dtype::mxfp8;
      case Precision::nvfp4:
        return Dtype::nvfp4;
      default:
        return job_.dtypes.compute;
    }
  }

  /// Selective recompute as the profile names it. "every_second_matmul": outputs of the 1st, 3rd, ... product of the
  /// layer stay.
  void keep_by_policy(const LinearOp& linear, ValueId output) {
    if (memory_.selective_policy == "every_second_matmul" && linear.split != LinearSplit::replicated) {
      graph_.value(output).policy_keeps = (products_++ % 2) == 0;
    } else if (memory_.selective_policy == "attention_core") {
      graph_.value(output).policy_keeps = true;
    }
  }

  /// y += B(A(dropout(x))): x stays once more where dropout makes a copy (and its mask), or where the adapter's dtype
  /// differs.
  ValueId adapter(const LinearOp& linear, const LocalShape& shape, double rows, ValueId source, ValueId y) {
    const Dtype compute = job_.dtypes.compute;
    const auto rank = static_cast<double>(job_.lora.rank);
    const double adapter_bytes = bytes_per_element(job_.dtypes.adapter) / kByte;
    const double in_elements = rows * shape.in;
    ValueId kept = source;
    const bool differs = graph_.value(source).dtype != job_.dtypes.adapter;
    if (job_.lora.dropout > 0.0) {
      const Bytes copy = Bytes{in_elements * (bytes_per_element(compute) / kByte + 1.0)};
      kept = graph_.add_value("adapter_input", copy, compute);
    } else if (differs && !fused_) {
      const Dtype dtype = job_.dtypes.autocast ? compute : job_.dtypes.adapter;
      kept = graph_.add_value("adapter_input", bytes(in_elements, dtype), dtype);
    }
    if (kept != source) {
      graph_.value(kept).has_gradient = false;
      graph_.add_node({.name = "adapter_input",
                       .forward = MemoryWork{2.0 * graph_.value(kept).bytes},
                       .inputs = {source},
                       .output = kept});
    }
    const ValueId a = graph_.add_value("lora_A", bytes(rows * rank, compute), compute);
    Node down{.name = "lora_A", .inputs = {kept}, .saves = {kept}, .output = a};
    down.forward = GemmWork{shape.tokens, rank, shape.in, shape.count, compute};
    down.backward[0] = GemmWork{shape.tokens, shape.in, rank, shape.count, compute};
    down.backward[1] = GemmWork{shape.in, rank, shape.tokens, shape.count, compute};
    down.weight_gradient = Bytes{rank * shape.in * shape.count * adapter_bytes};
    graph_.add_node(down);
    const Value product = graph_.value(y);
    const ValueId sum = graph_.add_value(linear.name, product.bytes, product.dtype);
    Node up{.name = "lora_B", .inputs = {a, y}, .saves = {a}, .output = sum};
    up.forward = GemmWork{shape.tokens, shape.out, rank, shape.count, compute};
    up.backward[0] = GemmWork{shape.tokens, rank, shape.out, shape.count, compute};
    up.backward[1] = GemmWork{rank, shape.out, shape.tokens, shape.count, compute};
    up.backward[2] = MemoryWork{3.0 * product.bytes * c_.profile->time.lora_traffic};
    up.weight_gradient = Bytes{rank * shape.out * shape.count * adapter_bytes};
    graph_.add_node(up);
    return sum;
  }

  void query_key_norm(Chain& chain, const VectorOp& vector) {
    // Queries first, keys second: the order of the block's ops.
    const auto which = static_cast<std::size_t>(chain.normed_projections++);
    if (which >= chain.pending.size()) {
      return;
    }
    const ValueId x = chain.pending[which];
    const Value input = graph_.value(x);
    const ValueId y = graph_.add_value(vector.name, input.bytes, input.dtype);
    Node node{.name = vector.name,
              .forward = MemoryWork{2.0 * input.bytes},
              .backward = {Work{MemoryWork{3.0 * input.bytes}}},
              .inputs = {x},
              .saves = {x},
              .output = y};
    if (memory_.norm == NormImplementation::eager_fp32 && !job_.compile) {
      const double elements = input.bytes / bytes_per_element(input.dtype);
      node.saves[0] = side_value("qk_norm_input_fp32", elements, Dtype::fp32, x);
    }
    graph_.add_node(node);
    chain.pending[which] = y;
  }

  ValueId rotated(ValueId x) {
    const Value input = graph_.value(x);
    const ValueId y = graph_.add_value("rotated", input.bytes, input.dtype);
    graph_.add_node({.name = "rope",
                     .forward = MemoryWork{2.0 * input.bytes},
                     .backward = {Work{MemoryWork{2.0 * input.bytes}}},
                     .inputs = {x},
                     .output = y});
    return y;
  }

  /// q[t, n d], k and v[t, kv d] to o[t, n dv].
  ValueId attention(const AttentionCoreOp& core, Chain& chain, bool rotary) {
    const Dtype compute = job_.dtypes.compute;
    const double heads = std::max(1.0, static_cast<double>(core.heads) / tensor_ranks_);
    if (rotary) {
      const std::size_t turned = chain.pending.size() == 1 ? 1 : std::min<std::size_t>(2, chain.pending.size());
      for (std::size_t i = 0; i < turned; ++i) {
        chain.pending[i] = rotated(chain.pending[i]);
      }
    }
    if (memory_.repeats_kv && core.kv_heads < core.heads && chain.pending.size() == 3) {
      for (std::size_t i = 1; i < 3; ++i) {
        const double width = heads * static_cast<double>(i == 1 ? core.qk_dim : core.v_dim);
        const ValueId wide = graph_.add_value("repeated_kv", bytes(tokens_ * width, compute), compute);
        graph_.add_node({.name = "repeat_kv",
                         .forward = MemoryWork{2.0 * graph_.value(wide).bytes},
                         .backward = {Work{MemoryWork{2.0 * graph_.value(wide).bytes}}},
                         .inputs = {chain.pending[i]},
                         .output = wide});
        chain.pending[i] = wide;
      }
    }
    const ValueId out = graph_.add_value(
        "attention_output", bytes(tokens_ * heads * static_cast<double>(core.v_dim), compute), compute);
    graph_.value(out).policy_keeps = memory_.selective_policy == "every_second_matmul";
    Node node{.name = "attention", .output = out};
    for (std::size_t i = 0; i < chain.pending.size() && i < 3; ++i) {
      node.inputs[i] = chain.pending[i];
      node.saves[i] = chain.pending[i];
    }
    const double sequences = c_.micro_batch_size;
    const AttentionWork work{sequences,
                             heads,
                             static_cast<double>(job_.sequence_length),
                             static_cast<double>(core.qk_dim),
                             static_cast<double>(core.v_dim),
                             static_cast<double>(core.sliding_window),
                             static_cast<double>(c_.layout.context_parallel),
                             job_.attention};
    node.forward = work;
    node.backward[0] = work;
    const double scores = sequences * heads * static_cast<double>(job_.sequence_length) *
                          static_cast<double>(job_.sequence_length) / static_cast<double>(c_.layout.context_parallel);
    if (job_.attention == AttentionKernel::eager) {
      // The softmax result in fp32 and its 16-bit copy stay; the raw scores pass by.
      const ValueId probabilities =
          side_value("attention_scores", scores * memory_.eager_score_bytes / 2.0, Dtype::bf16, chain.pending[0]);
      node.saves[3] = probabilities;
      node.forward_temporary = bytes(scores, compute);
      node.backward_temporary = bytes(scores, Dtype::fp32);
    } else {
      node.saves[3] = out;
    }
    graph_.add_node(node);
    if (c_.layout.context_parallel > 1) {
      exchange_keys_and_values(core, heads);
    }
    chain.pending.clear();
    return out;
  }

  /// Context parallelism: keys and values of the other ranks pass by (ring or gather, the same bytes).
  void exchange_keys_and_values(const AttentionCoreOp& core, double heads) {
    const double kv_heads = std::min(heads, std::max(1.0, static_cast<double>(core.kv_heads) / tensor_ranks_));
    const double width = kv_heads * static_cast<double>(core.qk_dim + core.v_dim);
    const Bytes whole = bytes(tokens_ * static_cast<double>(c_.layout.context_parallel) * width, job_.dtypes.compute);
    graph_.add_node({.name = "exchange_kv",
                     .forward = CollectiveWork{Collective::all_gather, RankGroup::context, whole},
                     .backward = {Work{CollectiveWork{Collective::reduce_scatter, RankGroup::context, whole}}},
                     .stream = Stream::tensor_communication,
                     .backward_stream = Stream::tensor_communication});
  }

  /// act(gate) x up, or act(up): [t, f] each.
  ValueId activated(const ActivationOp& activation, Chain& chain) {
    const Dtype compute = job_.dtypes.compute;
    const std::size_t projections = activation.gated && chain.pending.size() >= 2 ? 2 : 1;
    const ValueId last = chain.pending.back();
    const Value up = graph_.value(last);
    const bool one_fused_projection = activation.gated && chain.pending.size() == 1;
    const Bytes width = one_fused_projection ? up.bytes / 2.0 : up.bytes;
    const ValueId out = graph_.add_value("activation_output", width, compute);
    Node node{.name = "activation", .inputs = {last}, .saves = {last}, .output = out};
    const double traffic = activation.gated ? 3.0 : 2.0;
    node.forward = MemoryWork{traffic * width};
    node.backward[0] = MemoryWork{(traffic + 2.0) * width};
    if (projections == 2) {
      node.inputs[1] = node.saves[1] = chain.pending[chain.pending.size() - 2];
    }
    if (activation.gated && memory_.keeps_activated_gate && !fused_) {
      node.saves[2] = side_value("activated_gate", width / bytes_per_element(compute), compute, last);
    }
    graph_.add_node(node);
    chain.pending.clear();
    return out;
  }

  const GraphContext& c_;
  const ResolvedJob& job_;
  const MemoryProfile& memory_;
  double tokens_;
  double outer_tokens_;
  double hidden_;
  double tensor_ranks_;
  double block_ranks_;
  bool fused_;
  int products_ = 0;
  Bytes dispatch_size_;
  LayerGraph graph_;
};

}  // namespace

double vocabulary_rows(const GraphContext& context) {
  const auto multiple =
      static_cast<double>(context.profile->memory.vocabulary_multiple * context.layout.tensor_parallel);
  const double padded = std::ceil(static_cast<double>(context.model->vocab_size) / multiple) * multiple;
  return padded / static_cast<double>(context.layout.tensor_parallel);
}

LayerGraph graph_of_layer(const PreparedLayer& layer, const GraphContext& context) {
  return LayerGraphBuilder(context).build(layer);
}

LayerGraph graph_of_embedding(const GraphContext& context) {
  return LayerGraphBuilder(context).build_embedding();
}

LayerGraph graph_of_head(const GraphContext& context) {
  return LayerGraphBuilder(context).build_head();
}

}  // namespace mekiki
