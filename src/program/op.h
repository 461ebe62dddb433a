// StepOp: one thing a rank does in a training step, after partitioning. Plain values: no allocation, names are Names.
// Memory reads the tensors of a segment, time reads the work of its ops; neither knows the other.
#pragma once

#include <cstdint>
#include <variant>

#include "base/dtype.h"
#include "base/name.h"
#include "base/quantity.h"
#include "hardware/measured.h"
#include "job/job.h"

namespace mekiki {

enum class Pass : std::uint8_t { forward, recompute, backward, optimizer };

template <>
struct EnumNames<Pass> {
  static constexpr std::array<std::string_view, 4> value = {"forward", "recompute", "backward", "optimizer"};
};

/// Where an op runs. Ops of one stream run in order; streams meet where an op depends on another.
enum class Stream : std::uint8_t { compute, tensor_communication, data_communication, pipeline_communication, host };

/// Ranks that take part in a collective. Sizes and places of the groups are in StepProgram::groups.
enum class RankGroup : std::uint8_t { tensor, context, expert, data_shard, data_replicate, pipeline };
inline constexpr std::size_t kRankGroups = 6;

/// C[m, n] = A[m, k] B[k, n], `count` times (grouped products of experts, m already divided among them).
struct GemmWork {
  double m = 0, n = 0, k = 0, count = 1;
  Dtype dtype = Dtype::bf16;

  friend bool operator==(const GemmWork&, const GemmWork&) = default;
};

/// Self-attention of `batch` sequences: `heads` query heads of this rank over `sequence_length` keys (whole
/// sequence, of which this rank holds the queries / context_parallel).
struct AttentionWork {
  double batch = 0, heads = 0, sequence_length = 0, qk_dim = 0, v_dim = 0;
  double sliding_window = 0;  // 0: none
  double context_parallel = 1;
  AttentionKernel kernel = AttentionKernel::sdpa;
  bool causal = true;  // false: every query sees all keys
};

/// Norms, activations, residual sums, casts, optimizer updates: bound by memory traffic. `fusible` traffic grows with
/// what a framework leaves unfused (TimeProfile::elementwise_traffic).
struct MemoryWork {
  Bytes traffic;
  bool fusible = true;
};

/// `message` is the full buffer: what a gather ends with, what a reduce-scatter starts with.
struct CollectiveWork {
  Collective kind = Collective::all_reduce;
  RankGroup group = RankGroup::tensor;
  Bytes message;
  /// Dispatch once per node: copies of each token in the message, of which one goes to each node that has any of its
  /// experts, at most `most_nodes` (0: any). 0 copies: all of the message goes its own way.
  float copies = 0;
  std::int16_t most_nodes = 0;
};

/// Copies over the host link, and on to the node's NVMe or from there (offload).
struct HostWork {
  Bytes bytes;
  bool nvme = false;
};

using Work = std::variant<std::monostate, GemmWork, AttentionWork, MemoryWork, CollectiveWork, HostWork>;

struct StepOp {
  Name name;
  Pass pass = Pass::forward;
  Stream stream = Stream::compute;
  /// Index in the same segment of the op whose result this one waits for, besides those before it on its own stream;
  /// -1: none.
  std::int16_t depends_on = -1;
  /// Small kernels around the op that a plain layer does not launch: casts, scalings, dequantisation.
  float extra_kernels = 0;
  /// Makes the gradient of a weight: nothing else in the backward waits for it.
  bool weight_gradient = false;
  Work work;
};

/// Products and attention of an op as FLOPs: 2 per multiply-add, causal half only.
Flops flops_of(const StepOp& op);

}  // namespace mekiki
