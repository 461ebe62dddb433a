// LayerGraphBuilder: builds the graph of one rank's layer, embedding or head. Values are [tokens, width]; t is the
// tokens of the rank, h the hidden size. Split over graph_attention.cpp, graph_blocks.cpp (feed-forward, experts),
// graph_recurrent.cpp (convolutions, scans, gates), graph_linear.cpp (linear layers and their adapters) and
// graph_parts.cpp (norms, residual, tensor-parallel exchange, embedding and head).
#pragma once

#include <algorithm>
#include <array>

#include "base/check.h"
#include "program/layer_graph.h"

namespace mekiki {

inline constexpr std::string_view kAttentionCore = "attention_core";  // MemoryProfile::selective_policy
inline constexpr Name kScores = "attention_scores";

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

  LayerGraph build(const PreparedLayer& layer);

  LayerGraph build_embedding();

  LayerGraph build_head();

  /// As the job compiles and splits its loss.
  double loss_bytes_per_logit() const;

 private:
  // ---- small facts of the job
  bool trains_base() const { return !trains_adapters_only(job_.method); }
  Dtype residual_dtype() const { return job_.dtypes.residual; }
  static Bytes bytes(double elements, Dtype dtype) { return elements * bytes_per_element(dtype); }
  /// torch.autocast makes a 16-bit copy of each wider weight, which the product keeps for its backward.
  bool casts_weights() const {
    return job_.dtypes.autocast && job_.quantization == Quantization::none && job_.dtypes.weights == Dtype::fp32;
  }
  bool is_quantized(const LinearOp& linear) const {
    return job_.quantization != Quantization::none && !linear.decides &&
           (job_.quantize_experts || !is_expert(linear.split));
  }

  /// y = norm(x): [t, h] to [t, h]. What stays depends on how the framework writes it.
  ValueId norm(ValueId x, NormKind kind, int count);

  /// `rows` are normalised apart from each other.
  struct NormShape {
    NormKind kind;
    double elements, rows;
  };

  /// Adds what backward of a norm of x reads. Source: saved-tensor hooks on the modules (tests/saved_tensors).
  void keep_for_norm(const NormShape& shape, ValueId x, Node& node);

  /// A value that an op makes for itself and keeps: produced by a node without work right before the op.
  ValueId side_value(Name name, double elements, Dtype dtype, ValueId from);

  /// Under sequence parallelism a block first gathers its tokens: [t / tp, h] to [t, h].
  ValueId gathered(ValueId x);

  /// Partial sums of a row-split product become [t between blocks, h].
  ValueId reduced(ValueId x);

  ValueId add_to_residual(ValueId residual, ValueId branch);

  /// torch.autocast: each product makes its own 16-bit copy of an fp32 input, and keeps that.
  ValueId cast_for_product(ValueId x);

  // ---- blocks
  /// Walks the ops of a block. Linear layers before the core (attention or activation) read the block's input, the one
  /// after it reads the core's output; a finished chain adds to the block's output (shared and routed experts are two
  /// chains).
  ValueId block_output(const PreparedBlock& block, ValueId normed);

  /// Values that wait for the core of their block; a handful, so without allocation.
  class PendingValues {
   public:
    void push_back(ValueId id) {
      MEKIKI_CHECK(size_ < ids_.size(), "a block has few projections");
      ids_[size_++] = id;
    }
    ValueId& operator[](std::size_t i) { return ids_[i]; }
    ValueId operator[](std::size_t i) const { return ids_[i]; }
    ValueId& back() { return ids_[size_ - 1]; }
    std::size_t size() const { return size_; }
    void clear() { size_ = 0; }

   private:
    std::array<ValueId, 8> ids_{};
    std::size_t size_ = 0;
  };

  struct Chain {
    ValueId source = kNoValue;
    ValueId gate = kNoValue;  // waits for the core's output
    PendingValues pending{};
    bool after_core = false;
    bool dispatched = false;
    int normed_projections = 0;
  };

  struct BlockResult {
    ValueId output = kNoValue;
    bool partial = false;  // each tensor rank has a part of the sum
  };

  /// One linear layer of the walk: what it reads follows from its OpInput and from where the chain is.
  void enter_attention(const PreparedBlock& block);
  void product(const LinearOp& linear, bool adapted, ValueId input, Chain& chain, BlockResult& result);

  void inner_norm(Chain& chain, const VectorOp& vector);

  /// y[elements] = norm(the first channels of x).
  ValueId narrow_norm(const VectorOp& vector, ValueId x, double elements);

  // ---- recurrent mixers (graph_recurrent.cpp)
  void recurrent_op(const ModelOp& op, Chain& chain);
  ValueId convolved(const ConvolutionOp& convolution, ValueId x);

  /// Everything that waits to [t, heads x value_dim].
  ValueId scanned(const ScanOp& scan, Chain& chain);
  ValueId gated(const GateOp& gate, Chain& chain);

  ValueId summed(ValueId a, ValueId b);

  /// Routed experts read the dispatched tokens: each token visits `active` experts, so [t x active, h], over the expert
  /// ranks.
  CollectiveWork expert_exchange(Bytes size, std::int64_t copies) const;
  ValueId routed_source(const LinearOp& linear, Chain& chain, ValueId input);

  ValueId combined_experts(ValueId experts, std::int64_t width);

  struct LocalShape {
    double tokens, in, out, count;
  };

  LocalShape local_shape(const LinearOp& linear, double rows) const;

  /// y[t, out] = x[t, in] W. Keeps x only where W (or an adapter on it) trains.
  ValueId linear_layer(const LinearOp& linear, bool adapted, ValueId source);

  /// Whether the product at hand is part of the one before it: queries, keys and values fused.
  bool continues_projection() const;

  /// What the product at hand reads; fused products read one copy.
  ValueId product_input(ValueId source);

  /// The 16-bit copy of an fp32 weight of this many elements.
  ValueId cast_weight(double elements, ValueId from);

  /// What an adapter reads, as it is kept: dropped out, in its own dtype, or the input itself.
  ValueId adapter_input(ValueId source, double elements);

  void dequantise(const LocalShape& shape, Node& node);

  /// The low-precision formats apply to the split linear layers of blocks; routers stay in the compute dtype.
  Dtype product_dtype(const LinearOp& linear) const;

  /// Selective recompute as the profile names it. "every_second_matmul": outputs of the 1st, 3rd, ... product of the
  /// layer stay.
  /// Selective recompute of the attention core alone: what it makes inside is made again, everything else stays.
  /// Source: arXiv 2205.05198, section 5.
  void keep_all_but_scores();

  void keep_by_policy(const LinearOp& linear, ValueId output);

  /// y += B(A(dropout(x))): x stays once more where dropout makes a copy (and its mask), or where the adapter's dtype
  /// differs.
  ValueId adapter(const LinearOp& linear, const LocalShape& shape, double rows, ValueId source, ValueId y);

  void query_key_norm(Chain& chain, const VectorOp& vector);

  /// Its first [t, width] channels turned, as a new tensor.
  ValueId rotated(ValueId x, double width);

  /// q[t, n d], k and v[t, kv d] to o[t, n dv].
  ValueId attention(const AttentionCoreOp& core, Chain& chain, bool rotary);

  /// Attention heads of this tensor-parallel rank; each has one at least.
  double on_this_rank(std::int64_t heads) const { return std::max(1.0, static_cast<double>(heads) / tensor_ranks_); }

  /// `from` read and written once, as a tensor of its own.
  ValueId copied(Name op, Name result, ValueId from, Bytes size, Dtype dtype);

  /// Queries and keys come out of the rotation as new tensors.
  void rotate(const AttentionCoreOp& core, Chain& chain);

  /// Where queries, keys and values are views of one result, all of it stays as long as one of them does.
  void keep_fused_projection(const Chain& chain);

  /// Keys and values for kernels that know no shared heads, and for attention of single ops.
  void copy_keys_and_values(const AttentionCoreOp& core, Chain& chain);

  /// A copy of what attention returned head by head.
  ValueId in_token_order(ValueId out);

  /// Queries and keys get their rotated channels, which all heads share for keys: new tensors both.
  void join_rotated_part(const AttentionCoreOp& core, Chain& chain);

  /// DoRA: what the magnitude of an adapted layer adds to `up`, the adapter's second matrix.
  void decompose(const LocalShape& shape, double rows, ValueId y, ValueId from, Node& up);
  /// Context parallelism: parts of the sequence become parts of the heads and back.
  void exchange_heads(const AttentionCoreOp& core, double heads);
  /// Context parallelism: keys and values of the other ranks pass by (ring or gather, the same bytes).
  void exchange_keys_and_values(const AttentionCoreOp& core, double heads);

  /// act(gate) x up, or act(up): [t, f] each.
  ValueId activated(const ActivationOp& activation, Chain& chain);

  const GraphContext& c_;
  const ResolvedJob& job_;
  const MemoryProfile& memory_;
  double tokens_;
  double outer_tokens_;
  double hidden_;
  double tensor_ranks_;
  double block_ranks_;
  bool fused_;
  bool causal_ = true;
  bool wide_norm_ = false;
  bool offset_norm_ = false;
  int products_ = 0;
  // Of the attention block that is walked: its projections so far, whether the product at hand is one of them, and
  // whether adapters target some of them but not all.
  PendingValues projected_{};
  ValueId projection_input_ = kNoValue;
  bool attends_ = false, in_projection_ = false, adapts_some_projections_ = false;
  ValueId adapter_source_ = kNoValue, adapter_kept_ = kNoValue;  // of the last adapter
  Bytes dispatch_size_;
  CollectiveWork exchange_;  // of it
  LayerGraph graph_;
};

}  // namespace mekiki
