// OptimizerState: what an optimizer keeps for the weights of one model.
#pragma once

#include <cstdint>

#include "job/defaults.h"

namespace mekiki {

struct PreparedModel;

struct OptimizerState {
  /// Of one trained weight, averaged over the model: moments, block constants and, for low-rank ones, projections.
  double bytes_per_element = 0;
  /// Share of the weights that hold states, gradients and fp32 copies at one time.
  double active_share = 1;

  bool block_wise() const { return active_share < 1; }
};

/// Low-rank optimizers: a gradient [m, n] is projected to [r, n], n the longer side; both moments have that shape, and
/// GaLore keeps the projection [m, r] in 16 bit, while APOLLO draws its projection anew from a seed. Embedding, head
/// and norms keep plain moments. Sources: arXiv 2403.03507 (algorithm 2, section 3.2); arXiv 2412.05270 (algorithm 1).
/// Block-wise ones: one block of layers at a time has moments. Sources: arXiv 2404.02827 (BAdam, algorithm 1: one
/// layer); arXiv 2403.17919 (LISA, algorithm 1: embedding, head and so many sampled layers). LOMO updates while
/// backward runs and keeps nothing. Source: arXiv 2306.09782. Not modelled: weight gradients that block-wise optimizers
/// do not compute (time), projections that are recomputed.
OptimizerState optimizer_state_of(const PreparedModel& model, const ResolvedJob& job);

/// Bytes of optimizer states per trained element, block constants included; 0 for plain SGD. Of low-rank optimizers:
/// where nothing is projected.
double optimizer_state_bytes(Optimizer optimizer, Dtype states);

/// Whether gradients never pile up, whatever the job says: the optimizer steps while backward runs, or only those of
/// the active block exist.
bool steps_in_backward(Optimizer optimizer);

}  // namespace mekiki
