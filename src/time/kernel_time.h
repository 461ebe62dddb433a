// Seconds of single ops on one GPU: products, attention, memory-bound work. Looked up in measured surfaces, scaled by
// what a long training run sustains; a roofline floor by memory traffic under each.
#pragma once

#include <vector>

#include "base/quantity.h"
#include "hardware/kernel_rates.h"
#include "program/op.h"

namespace mekiki {

/// Share of the dense peak at (m, n, k): linear in log m between measured points, inverse-distance over the four
/// nearest (n, k). Below the smallest measured m the efficiency falls in proportion; below 1024 in n or k with the
/// square root.
double gemm_efficiency(const GemmSurface& surface, double m, double n, double k);

Seconds gemm_time(const GemmWork& work, Pass pass, const GpuRates& rates);

/// Forward, or backward (2.5 times the FLOPs at its own rate).
Seconds attention_time(const AttentionWork& work, Pass pass, const GpuRates& rates);

/// Traffic over achieved bandwidth.
Seconds memory_time(Bytes traffic, const GpuRates& rates);

/// Times of products on one GPU, each worked out once: the layers of one layout and the layouts of one search repeat
/// their shapes. Not for several threads at once; `rates` must outlive it.
class KernelClock {
 public:
  explicit KernelClock(const GpuRates& rates);

  Seconds gemm(const GemmWork& work, Pass pass);
  const GpuRates& rates() const { return *rates_; }

 private:
  struct Entry {
    GemmWork work{.m = -1};
    bool backward = false;
    Seconds time;
  };
  const GpuRates* rates_;
  std::vector<Entry> entries_;  // direct-mapped: a collision is worked out again
};

}  // namespace mekiki
