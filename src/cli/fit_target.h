// From the names of GPU and system to what fit() asks of the machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "catalog/kernel_rates_reader.h"
#include "cli/commands.h"
#include "job/job_request.h"
#include "search/alternatives.h"
#include "search/fit.h"

namespace mekiki {

/// Owns what the FitTarget points to.
struct NamedTarget {
  FitTarget target;
  std::int64_t gpus = 1;
  std::string system;        // id; empty: none
  std::string no_step_time;  // id of the message that says why there is no step time; empty: there is one
  std::shared_ptr<const RatesBook> book;
  std::shared_ptr<const System> pod;    // a pod made concrete
  std::shared_ptr<const Gpu> instance;  // of a GPU that is cut
  const Gpu* whole = nullptr;           // the GPU that is cut; null: none is
};

/// GPUs in total follow from `gpus`, or nodes x GPUs of the system, or the layout, in this order. Errors: not_found and
/// conflict for names, conflict where the numbers contradict each other.
Result<NamedTarget> read_target(const Context& context, const JobRequest& request);

/// As many of another GPU, in machines as they are usual; without rates where there are none.
GpuChoice choice_of(const Context& context, const NamedTarget& target, const Gpu& gpu);

/// The layout as far as the user fixed it; data parallelism takes the GPUs that the other axes leave. Unset where
/// nothing was said. Errors: conflict where the axes do not divide the GPUs.
Result<std::optional<ParallelLayout>> read_layout(const LayoutRequest& request,
                                                  std::int64_t gpus,
                                                  const Profile& profile);

}  // namespace mekiki
