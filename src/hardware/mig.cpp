#include "hardware/mig.h"

#include <algorithm>
#include <string>

namespace mekiki {
namespace {

struct Share {
  double compute = 0, memory = 0;  // of the whole GPU; 0: there is no such instance
};

Share share_of(MigProfile profile, std::int64_t most_instances) {
  constexpr std::array<double, 5> kComputeSlices = {1, 2, 3, 4, 7};
  constexpr std::array<double, 5> kMemorySlices = {1, 2, 4, 4, 8};
  const auto place = static_cast<std::size_t>(profile);
  if (most_instances == 7) {
    return {kComputeSlices[place] / 7.0, kMemorySlices[place] / 8.0};
  }
  const auto parts = static_cast<double>(most_instances);
  const bool divides = kComputeSlices[place] <= parts && profile != MigProfile::g3;
  return divides ? Share{kComputeSlices[place] / parts, kComputeSlices[place] / parts} : Share{};
}

void scale(std::optional<FlopsPerSecond>& rate, double share) {
  if (rate) {
    rate = share * *rate;
  }
}

}  // namespace

Result<Gpu> instance_of(const Gpu& gpu, MigProfile profile) {
  const std::int64_t most = gpu.mig_max_instances.value_or(0);
  const Share share = most > 1 ? share_of(profile, most) : Share{};
  if (!(share.compute > 0)) {
    return fail(
        {ErrorCode::unsupported,
         "mig",
         std::string(gpu.id) + (most > 1 ? " has no instance " + std::string(enum_name(profile))
                                         : std::string(" cannot be cut into instances")),
         most > 1 ? "it is cut into " + std::to_string(most) + " at most" : "mekiki gpus lists those that can"});
  }
  Gpu instance = gpu;
  instance.memory_marketed = share.memory * gpu.memory_marketed;
  instance.memory_reported = share.memory * gpu.memory_reported;
  instance.memory_bandwidth = share.memory * gpu.memory_bandwidth;
  for (std::optional<FlopsPerSecond>* rate : {&instance.peaks.fp32,
                                              &instance.peaks.tf32,
                                              &instance.peaks.bf16,
                                              &instance.peaks.fp8,
                                              &instance.peaks.fp4,
                                              &instance.peaks.fp16}) {
    scale(*rate, share.compute);
  }
  if (gpu.sm_count) {
    instance.sm_count = static_cast<std::int64_t>(share.compute * static_cast<double>(*gpu.sm_count));
  }
  instance.link = GpuLink::none;
  instance.nvlink_bandwidth.reset();
  instance.mig_max_instances = 0;
  return instance;
}

}  // namespace mekiki
