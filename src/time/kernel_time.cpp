#include "time/kernel_time.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace mekiki {
namespace {

constexpr double kSmallestSide = 1024.0;  // of the measured n and k

double efficiency_at(const GemmColumn& column, double log2_m) {
  const auto points = column.points;
  if (log2_m <= static_cast<double>(points.front().log2_m)) {
    return static_cast<double>(points.front().efficiency) *
           std::exp2(log2_m - static_cast<double>(points.front().log2_m));
  }
  if (log2_m >= static_cast<double>(points.back().log2_m)) {
    return static_cast<double>(points.back().efficiency);
  }
  std::size_t i = 1;
  while (static_cast<double>(points[i].log2_m) < log2_m) {
    ++i;
  }
  const double low = static_cast<double>(points[i - 1].log2_m), high = static_cast<double>(points[i].log2_m);
  const double share = (log2_m - low) / (high - low);
  return static_cast<double>(points[i - 1].efficiency) * (1.0 - share) +
         static_cast<double>(points[i].efficiency) * share;
}

struct Near {
  float distance;
  std::size_t column;
};

const GemmSurface* surface_for(std::span<const GemmSurface> surfaces, Dtype dtype) {
  const GemmSurface* fallback = nullptr;
  const Dtype wanted = dtype == Dtype::fp16 ? Dtype::bf16 : dtype == Dtype::mxfp8 ? Dtype::fp8 : dtype;
  for (const GemmSurface& surface : surfaces) {
    if (surface.dtype == wanted) {
      return &surface;
    }
    if (surface.dtype == Dtype::bf16) {
      fallback = &surface;
    }
  }
  return fallback;
}

bool low_precision(Dtype dtype) {
  return dtype == Dtype::fp8 || dtype == Dtype::mxfp8 || dtype == Dtype::nvfp4;
}

FlopsPerSecond peak_or_nearest(const Gpu& gpu, Dtype dtype) {
  for (const Dtype candidate :
       {dtype, dtype == Dtype::nvfp4 ? Dtype::fp8 : Dtype::bf16, Dtype::bf16, Dtype::tf32, Dtype::fp32}) {
    if (const auto peak = dense_peak(gpu, candidate)) {
      return *peak;
    }
  }
  return FlopsPerSecond{1e12};
}

}  // namespace

double gemm_efficiency(const GemmSurface& surface, double m, double n, double k) {
  constexpr std::size_t kNeighbours = 4;
  std::array<Near, kNeighbours> near;
  near.fill({1e30F, 0});
  const auto log2_n = static_cast<float>(std::log2(n)), log2_k = static_cast<float>(std::log2(k));
  for (std::size_t i = 0; i < surface.columns.size(); ++i) {
    const float dn = surface.columns[i].log2_n - log2_n, dk = surface.columns[i].log2_k - log2_k;
    const float distance = dn * dn + dk * dk;
    if (distance >= near.back().distance) {
      continue;
    }
    std::size_t place = kNeighbours - 1;
    while (place > 0 && near[place - 1].distance > distance) {
      near[place] = near[place - 1];
      --place;
    }
    near[place] = {distance, i};
  }
  const double log2_m = std::log2(m);
  double weighted = 0, weights = 0;
  for (const Near& neighbour : near) {
    if (neighbour.distance < 1e29F) {
      const double weight = 1.0 / (static_cast<double>(neighbour.distance) + 0.05);
      weighted += weight * efficiency_at(surface.columns[neighbour.column], log2_m);
      weights += weight;
    }
  }
  double efficiency = weights > 0 ? weighted / weights : 0.0;
  for (const double side : {n, k}) {
    if (side < kSmallestSide) {
      efficiency *= std::sqrt(side / kSmallestSide);
    }
  }
  return efficiency;
}

Seconds gemm_time(const GemmWork& w, Pass pass, const GpuRates& rates) {
  if (!(w.m > 0 && w.n > 0 && w.k > 0)) {
    return Seconds{};
  }
  const KernelRates& kernels = rates.kernels;
  const GemmSurface* surface = surface_for(rates.gemm, w.dtype);
  double efficiency = surface != nullptr ? gemm_efficiency(*surface, w.m, w.n, w.k) : kernels.flat_gemm_efficiency;
  if (surface == nullptr && std::min({w.m, w.n, w.k}) < 512) {
    efficiency *= std::sqrt(std::min({w.m, w.n, w.k}) / 512.0);
  }
  double factor = kernels.sustained * (pass == Pass::backward ? kernels.backward_gemm : 1.0);
  if (low_precision(w.dtype)) {
    factor *= kernels.low_precision;
  }
  const double flops = 2.0 * w.m * w.n * w.k * w.count;
  const FlopsPerSecond rate = peak_or_nearest(*rates.gpu, w.dtype) * std::max(efficiency * factor, 1e-4);
  const Bytes traffic = w.count * (bytes_per_element(w.dtype) * (w.m * w.k + w.k * w.n) + Bytes{2.0} * (w.m * w.n));
  return std::max(Flops{flops} / rate, memory_time(traffic, rates)) + rates.rules.kernel_start;
}

Seconds memory_time(Bytes traffic, const GpuRates& rates) {
  return traffic / (rates.gpu->memory_bandwidth * rates.kernels.memory_efficiency);
}

namespace {

/// Rate on the nearest measured head dim, linear in log length; fewer heads in flight than measured lower it in
/// proportion.
FlopsPerSecond surface_rate(const AttentionWork& w, const GpuRates& rates) {
  const AttentionSurface* nearest = nullptr;
  double best = 1e30;
  for (const AttentionSurface& surface : rates.attention) {
    const double distance = std::abs(std::log2(w.qk_dim / static_cast<double>(surface.head_dim)));
    if (distance < best) {
      best = distance;
      nearest = &surface;
    }
  }
  if (nearest == nullptr) {
    return peak_or_nearest(*rates.gpu, Dtype::bf16) * 0.4;
  }
  const double log2_length = std::log2(w.sequence_length), log2_heads = std::log2(std::max(1.0, w.batch * w.heads));
  // Two lengths around the wanted one; at each, the measured point with the nearest number of heads.
  struct At {
    double log2_length = -1, rate = 0, heads_distance = 1e30, log2_heads = 0;
  } low, high;
  const auto better = [&](At& at, const AttentionPoint& p) {
    const double heads_distance = std::abs(static_cast<double>(p.log2_batch_times_heads) - log2_heads);
    const bool same_length = at.log2_length == static_cast<double>(p.log2_sequence_length);
    if (!same_length || heads_distance < at.heads_distance - 1e-9 ||
        (heads_distance < at.heads_distance + 1e-9 && static_cast<double>(p.tflop_per_second) > at.rate)) {
      at = {static_cast<double>(p.log2_sequence_length),
            static_cast<double>(p.tflop_per_second),
            heads_distance,
            static_cast<double>(p.log2_batch_times_heads)};
    }
  };
  for (const AttentionPoint& p : nearest->points) {
    const auto length = static_cast<double>(p.log2_sequence_length);
    if (length <= log2_length + 1e-6 && length >= low.log2_length) {
      better(low, p);
    }
    if (length >= log2_length - 1e-6 && (high.log2_length < 0 || length <= high.log2_length)) {
      better(high, p);
    }
  }
  const auto at_heads = [&](const At& at) {
    return at.log2_heads > log2_heads + 0.6 ? at.rate * std::exp2(log2_heads - at.log2_heads) : at.rate;
  };
  double rate = 0;
  if (low.log2_length < 0) {
    rate = at_heads(high) * std::exp2(log2_length - high.log2_length);
  } else if (high.log2_length < 0) {
    rate = at_heads(low);
  } else {
    const double span = high.log2_length - low.log2_length;
    const double share = span > 0 ? (log2_length - low.log2_length) / span : 0.0;
    rate = at_heads(low) * (1.0 - share) + at_heads(high) * share;
  }
  if (w.qk_dim < static_cast<double>(nearest->head_dim)) {
    rate *= w.qk_dim / static_cast<double>(nearest->head_dim);
  }
  const double own = peak_or_nearest(*rates.gpu, Dtype::bf16) / FlopsPerSecond{1.0};
  const double scale = rates.reference_bf16_peak > 0 ? own / rates.reference_bf16_peak : 1.0;
  return FlopsPerSecond{rate * 1e12 * scale * rates.kernels.attention};
}

const AttentionGeneration* generation(const AttentionWork& w, const GpuRates& rates) {
  for (const AttentionGeneration& g : rates.generations) {
    if (g.kernel == enum_name(w.kernel) && rates.gpu->architecture.starts_with(g.architecture)) {
      return &g;
    }
  }
  return nullptr;
}

FlopsPerSecond generation_rate(const AttentionWork& w, const AttentionGeneration& g, const GpuRates& rates) {
  const double length = w.sequence_length / (w.sequence_length + g.half_rate_length);
  const double head = w.qk_dim <= 64 ? g.head_dim_64 : w.qk_dim > 128 ? 0.85 : 1.0;
  const double tiles =
      w.batch * w.heads * std::max(1.0, w.sequence_length / 128.0) / 2.0;  // two tiles of 128 queries keep one SM busy
  const auto sms = static_cast<double>(rates.gpu->sm_count.value_or(108));
  const double own = peak_or_nearest(*rates.gpu, Dtype::bf16) / kTflopPerSecond;
  const double scale = g.reference_bf16_tflop_per_second > 0 ? own / g.reference_bf16_tflop_per_second : 1.0;
  return kTflopPerSecond * (g.forward_tflop_per_second * length * head * std::min(1.0, std::sqrt(tiles / sms)) * scale);
}

/// Two products, a softmax with scale and mask, dropout.
constexpr double kEagerAttentionKernels = 4;

/// Composed of single kernels: two products at a moderate rate and the score table through memory.
Seconds eager_attention_time(const AttentionWork& w, Pass pass, const GpuRates& rates) {
  const StepRules& rules = rates.rules;
  const double scores = w.batch * w.heads * w.sequence_length * w.sequence_length / w.context_parallel;
  const Flops products{2.0 * scores * (w.qk_dim + w.v_dim)};
  const Seconds forward = products / (peak_or_nearest(*rates.gpu, Dtype::bf16) * rules.eager_attention_efficiency *
                                      rates.kernels.sustained) +
                          memory_time(Bytes{rules.eager_attention_bytes_per_score * scores}, rates) +
                          kEagerAttentionKernels * rules.kernel_start;
  return pass == Pass::backward ? rules.eager_attention_backward * forward : forward;
}

}  // namespace

Seconds attention_time(const AttentionWork& w, Pass pass, const GpuRates& rates) {
  if (w.kernel == AttentionKernel::eager) {
    return eager_attention_time(w, pass, rates);
  }
  const Flops flops = flops_of({.pass = pass, .work = w});
  const AttentionGeneration* known = generation(w, rates);
  const FlopsPerSecond forward = known != nullptr ? generation_rate(w, *known, rates) : surface_rate(w, rates);
  const double backward = known != nullptr ? known->backward_over_forward : rates.kernels.attention_backward;
  return flops / (pass == Pass::backward ? forward * backward : forward) + rates.rules.kernel_start;
}

namespace {

constexpr std::size_t kClockEntries = 2048;

std::size_t slot_of(const GemmWork& work, bool backward) {
  std::uint64_t hash = static_cast<std::uint64_t>(work.dtype) * 2 + (backward ? 1 : 0);
  for (const double part : {work.m, work.n, work.k, work.count}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15ULL;
  }
  return static_cast<std::size_t>(hash >> 53U) % kClockEntries;
}

}  // namespace

KernelClock::KernelClock(const GpuRates& rates) : rates_(&rates), entries_(kClockEntries) {}

Seconds KernelClock::gemm(const GemmWork& work, Pass pass) {
  const bool backward = pass == Pass::backward;
  Entry& entry = entries_[slot_of(work, backward)];
  if (!(entry.work == work && entry.backward == backward)) {
    entry = {work, backward, gemm_time(work, pass, *rates_)};
  }
  return entry.time;
}

}  // namespace mekiki
