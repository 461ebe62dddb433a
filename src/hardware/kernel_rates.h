// KernelRates: how one GPU runs kernels in training, beside its datasheet: whose measured surfaces serve it, and what
// share of them holds over a long run. Data: data/measured/kernel_rates.json, with a source per row; read by the
// catalogue.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/estimate.h"
#include "hardware/gpu.h"
#include "hardware/measured.h"
#include "hardware/system.h"

namespace mekiki {

struct KernelRates {
  std::string gpu_id;
  std::string gemm_surface_of;       // gpu id whose GEMM surface serves; empty: use flat_gemm_efficiency
  std::string attention_surface_of;  // likewise
  std::string collective_curves_of;
  double flat_gemm_efficiency = 0.75;
  double sustained = 0.85;           // training GEMMs over serving tables: clocks, power, layout
  double low_precision = 1.15;       // correction of fp8 surfaces that include quantisation
  double backward_gemm = 0.95;       // dgrad and wgrad over forward
  double memory_efficiency = 0.80;   // share of datasheet bandwidth of a fused memory-bound kernel
  double attention = 0.85;           // training attention over serving tables
  double attention_backward = 0.80;  // backward rate over forward rate
  /// Share of the rate that libraries lacked for each year before they matured, two years at most; 0: mature.
  double software_loss_per_year = 0;
  double software_mature_year = 0;
  double collective_time = 1.0;  // factor on the borrowed curves
  bool own_surface = false;      // measured on this very GPU
};

/// Asymptotic rate of one attention kernel generation on one GPU architecture, where no surface fits.
struct AttentionGeneration {
  std::string architecture;  // prefix of Gpu::architecture
  std::string kernel;
  double forward_tflop_per_second = 0;  // causal, long sequences, head dim 128
  double backward_over_forward = 0.8;
  double half_rate_length = 400;               // sequence length at which half the rate is reached
  double head_dim_64 = 1.0;                    // factor at head dim 64
  double reference_bf16_tflop_per_second = 0;  // dense peak of the part it was measured on
};

/// How the parts of a step share the machine: few numbers for all GPUs, fitted once (tools and residuals in
/// docs/validation.md).
struct StepRules {
  double sharded_overlap_slowdown = 0;    // of compute, while gathers and reductions run beside it
  double reduction_overlap_slowdown = 0;  // of compute, under the once-per-step reduction
  double tensor_overlap_slowdown = 0;
  double launch_scale = 1.0;           // of the profiles' launch times
  Seconds kernel_start;                // of the device for each kernel, however small: ramp-up and tail
  double kernels_per_layer = 36;       // that a plain layer launches forward; prices those that come on top
  double reduction_window = 0;         // share of a micro-batch that can hide the reduction
  double stragglers_per_doubling = 0;  // of nodes
  double network_efficiency = 0;       // share of the wire rate
  double send_efficiency = 0;
  Seconds network_start;
  Seconds network_step;  // per node of a ring, up to network_most_steps
  double network_most_steps = 0;
  BytesPerSecond nvme;                  // drives of a node, for each of its GPUs
  BytesPerSecond host_bridge;           // GPUs without a measured curve
  double interleaved_send_exposed = 0;  // share of pipeline hand-overs that is waited for
  double plain_send_exposed = 0;
  double eager_attention_efficiency = 0;  // of the batched products
  double eager_attention_bytes_per_score = 0;
  double eager_attention_backward = 0;  // over forward
};

/// Everything about kernels and collectives of one GPU that time() reads.
struct GpuRates {
  const Gpu* gpu = nullptr;
  KernelRates kernels;
  std::span<const GemmSurface> gemm;            // of kernels.gemm_surface_of
  std::span<const AttentionSurface> attention;  // of kernels.attention_surface_of
  std::span<const CollectiveCurve> curves;      // of kernels.collective_curves_of
  std::span<const AttentionGeneration> generations;
  StepRules rules;
  double reference_bf16_peak = 0;  // of the GPU whose surfaces serve, FLOP/s
};

/// The machine as time() sees it: GPUs of one kind in nodes, links by distance.
struct ClusterView {
  const System* system = nullptr;  // unset for rows that only state GPU and count
  std::int64_t gpus_per_node = 1;
  std::int64_t link_domain = 1;  // GPUs within reach of the fast link
  LinkKind link = LinkKind::none;
  BytesPerSecond network_per_gpu;  // between domains, one direction
  bool network_assumed = false;
};

}  // namespace mekiki
