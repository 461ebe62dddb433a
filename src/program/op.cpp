#include "program/op.h"

#include <algorithm>

namespace mekiki {

Flops flops_of(const StepOp& op) {
  if (const auto* gemm = std::get_if<GemmWork>(&op.work)) {
    return Flops{2.0 * gemm->m * gemm->n * gemm->k * gemm->count};
  }
  if (const auto* a = std::get_if<AttentionWork>(&op.work)) {
    const double window = a->sliding_window > 0 ? std::min(a->sliding_window, a->sequence_length) : a->sequence_length;
    // Keys in view of a causal query on average query: w - w^2 / (2 s), which is s / 2 without a window.
    const double keys = a->causal ? window - window * window / (2.0 * a->sequence_length) : window;
    const double forward =
        2.0 * a->batch * a->heads * (a->qk_dim + a->v_dim) * a->sequence_length * keys / a->context_parallel;
    // Backward recomputes the scores: five products against two. Source: arXiv 2205.14135, appendix B.
    return Flops{op.pass == Pass::backward ? 2.5 * forward : forward};
  }
  return Flops{0.0};
}

}  // namespace mekiki
