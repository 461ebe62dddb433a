// GPUs side by side: every figure, and what each difference means for training.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "hardware/gpu.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

/// Differences that change a training job, of each later GPU against the first.
enum class GpuDifference : std::uint8_t {
  memory,       // what fits
  bandwidth,    // memory-bound ops
  matrix_rate,  // matrix products at bf16 (fp16 where there is none)
  no_bf16,      // fp16 with loss scaling
  fp8,          // one has the format, the other not
  link,         // collectives between GPUs
  ecc,          // long runs
  mig,          // slices
  unknown_rate  // no peak is known: no step time
};

template <>
struct EnumNames<GpuDifference> {
  static constexpr std::array<std::string_view, 9> value = {
      "memory", "bandwidth", "matrix_rate", "no_bf16", "fp8", "link", "ecc", "mig", "unknown_rate"};
};

struct GpuContrast {
  const Gpu* first = nullptr;
  const Gpu* other = nullptr;
  GpuDifference what = GpuDifference::memory;
  double ratio = 1;  // other / first, of figures
};

/// Ratios within 5 % of 1 are no difference.
std::vector<GpuContrast> contrasts(const std::vector<const Gpu*>& gpus);

std::string contrasts_text(const std::vector<GpuContrast>& list, const Voice& say);
Json contrasts_json(const std::vector<GpuContrast>& list, const Voice& say);

}  // namespace mekiki
