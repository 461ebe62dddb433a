// Seconds of single ops on one GPU: products, attention, memory-bound work. Looked up in measured surfaces, scaled by
// what a long training run sustains; a roofline floor by memory traffic under each.
#pragma once

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

}  // namespace mekiki
