// A round-numbered GPU and its machine for tests: 100 TFLOP/s, 1 TB/s, eight to a node.
#pragma once

#include <array>

#include "hardware/kernel_rates.h"

namespace mekiki::for_tests {

inline const Gpu& round_gpu() {
  static const Gpu gpu{.id = "round",
                       .architecture = "Test",
                       .memory_reported = 80.0 * kGiB,
                       .memory_bandwidth = BytesPerSecond{1e12},
                       .peaks = {.bf16 = FlopsPerSecond{1e14}, .fp8 = FlopsPerSecond{2e14}}};
  return gpu;
}

inline std::span<const GemmSurface> round_surface() {
  static constexpr std::array<GemmPoint, 2> kPoints{{{7, 0.4F}, {13, 0.8F}}};
  static constexpr std::array<GemmColumn, 2> kColumns{{{12, 12, kPoints}, {13, 13, kPoints}}};
  static const std::array<GemmSurface, 1> kSurfaces{{{.gpu_id = "round", .dtype = Dtype::bf16, .columns = kColumns}}};
  return kSurfaces;
}

inline std::span<const CollectiveCurve> round_curves() {
  // 2^10 bytes in 2^-17 s, 2^30 bytes in 2^-7 s.
  static constexpr std::array<CollectivePoint, 2> kPoints{{{10, -17}, {30, -7}}};
  static const std::array<CollectiveCurve, 4> kCurves{
      {{.gpu_id = "round", .collective = Collective::all_reduce, .ranks = 8, .points = kPoints},
       {.gpu_id = "round", .collective = Collective::all_gather, .ranks = 8, .points = kPoints},
       {.gpu_id = "round", .collective = Collective::reduce_scatter, .ranks = 8, .points = kPoints},
       {.gpu_id = "round", .collective = Collective::all_to_all, .ranks = 8, .points = kPoints}}};
  return kCurves;
}

inline GpuRates round_rates() {
  GpuRates rates{.gpu = &round_gpu(), .gemm = round_surface(), .curves = round_curves()};
  rates.kernels.gpu_id = "round";
  rates.kernels.own_surface = true;
  rates.rules = {.kernel_start = Seconds{2e-6},
                 .network_efficiency = 0.8,
                 .send_efficiency = 0.7,
                 .network_start = Seconds{30e-6},
                 .network_step = Seconds{6e-6},
                 .network_most_steps = 64,
                 .nvme = BytesPerSecond{3e9},
                 .host_bridge = BytesPerSecond{16e9},
                 .plain_send_exposed = 0.6,
                 .eager_attention_efficiency = 0.45,
                 .eager_attention_bytes_per_score = 13,
                 .eager_attention_backward = 2.1};
  rates.rules.reduction_window = 0.8;
  return rates;
}

inline ClusterView round_cluster() {
  return {.gpus_per_node = 8, .link_domain = 8, .link = LinkKind::nvswitch, .network_per_gpu = BytesPerSecond{50e9}};
}

}  // namespace mekiki::for_tests
