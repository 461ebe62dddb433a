// TimeReport: one step, where its time goes, and the rates that follow.
#pragma once

#include <array>
#include <cstdint>

#include "base/enum_names.h"
#include "base/estimate.h"
#include "base/quantity.h"
#include "job/bands.h"

namespace mekiki {

/// Causes add up to the step time.
enum class TimeCause : std::uint8_t {
  gemm,
  attention,
  memory_bound,
  launch,                // waiting for the host to launch kernels
  tensor_communication,  // exposed traffic inside layers (tensor, context, expert)
  data_communication,    // exposed gathers and reductions
  pipeline,              // bubble and hand-over
  optimizer,
  data_loading,  // the loaders are slower than the step
  other
};
inline constexpr std::size_t kTimeCauses = 10;

template <>
struct EnumNames<TimeCause> {
  static constexpr std::array<std::string_view, kTimeCauses> value = {"gemm",
                                                                      "attention",
                                                                      "memory_bound",
                                                                      "launch",
                                                                      "tensor_communication",
                                                                      "data_communication",
                                                                      "pipeline",
                                                                      "optimizer",
                                                                      "data_loading",
                                                                      "other"};
};

struct TimeReport {
  BandKind band = BandKind::assumed;
  Estimate<Seconds> step_time;
  std::array<Seconds, kTimeCauses> causes{};  // mid values
  double tokens_per_step = 0;                 // of the corpus, padding left out
  double real_token_share = 1;                // of the positions; the rest is padding
  TokensPerSecond tokens_per_s;               // mid, all GPUs
  TokensPerSecond tokens_per_s_per_gpu;
  double mfu = 0;  // model FLOPs (causal attention, head included, no recompute) over dense peak at the precision
  double hfu = 0;  // with recompute
  FlopsPerSecond model_flops_per_gpu;

  Seconds at(TimeCause cause) const { return causes[static_cast<std::size_t>(cause)]; }

  /// What nvidia-smi calls GPU utilisation, at most: the share of the step in which some kernel runs, one of NCCL that
  /// only waits included (a pipeline's idle stage waits in one). Waits for the host's launches and for data are left
  /// out. Source: `nvidia-smi --help-query-gpu`, utilization.gpu. Not modelled: offloaded copies run no kernel.
  double gpu_utilization() const {
    const Seconds idle = at(TimeCause::launch) + at(TimeCause::data_loading);
    return step_time.mid > Seconds{} ? 1.0 - idle / step_time.mid : 0.0;
  }

  /// Share of the step that waits for communication: the flag of requirement B2.
  double communication_share() const {
    return step_time.mid > Seconds{}
               ? (at(TimeCause::tensor_communication) + at(TimeCause::data_communication)) / step_time.mid
               : 0.0;
  }
};

}  // namespace mekiki
