#include "hardware/system.h"

#include <string>

#include <fmt/format.h>

namespace mekiki {
namespace {

// Wide enough for the largest pod of any provider. A static table: a System owns nothing.
constexpr LinkLevel kHostPcie[] = {{LinkKind::pcie, 1024, std::nullopt}};

}  // namespace

Result<System> pod_of(const System& pod, Name gpu_id, std::int64_t gpus) {
  if (!is_pod(pod)) {
    return fail({ErrorCode::invalid_input, std::string(pod.id), "is no pod: its GPU is given", {}});
  }
  if (gpus < pod.gpus || gpus > pod.gpus_max) {
    return fail({ErrorCode::unsupported,
                 std::string(pod.id),
                 fmt::format("{} GPUs; it offers {} to {}", gpus, pod.gpus, pod.gpus_max),
                 {}});
  }
  System system = pod;
  system.gpu_id = gpu_id;
  system.gpus = gpus;
  system.gpus_max = gpus;
  system.link_domain = gpus;
  if (gpus > 1) {
    system.links = kHostPcie;
  }
  return system;
}

}  // namespace mekiki
