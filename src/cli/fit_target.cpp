#include "cli/fit_target.h"

#include <algorithm>
#include <utility>

#include "catalog/catalog.h"

namespace mekiki {
namespace {

constexpr std::int64_t kMostGpus = 1 << 24;

Error conflict(std::string subject, std::string message, std::string hint) {
  return {ErrorCode::conflict, std::move(subject), std::move(message), std::move(hint)};
}

std::int64_t stated_product(const LayoutRequest& layout) {
  std::int64_t product = 1;
  for (const auto& axis : {layout.dp_replicate,
                           layout.dp_shard,
                           layout.tensor_parallel,
                           layout.context_parallel,
                           layout.pipeline_parallel}) {
    product = std::min(product * std::min(axis.value_or(1), kMostGpus), kMostGpus);
  }
  return product;
}

struct Machine {
  const Gpu* gpu = nullptr;
  const System* system = nullptr;
  std::shared_ptr<const System> pod;
};

Result<Machine> machine_of(const Context& context, const TargetRequest& request) {
  Machine machine;
  if (!request.gpu.empty()) {
    const Result<const Gpu*> gpu = find_gpu(*context.catalog, request.gpu);
    if (!gpu) {
      return fail(gpu.error());
    }
    machine.gpu = *gpu;
  }
  if (request.system.empty()) {
    return machine;
  }
  const Result<const System*> system = find_system(*context.catalog, request.system);
  if (!system) {
    return fail(system.error());
  }
  machine.system = *system;
  if (is_pod(*machine.system)) {
    if (machine.gpu == nullptr) {
      return fail(conflict("system", request.system + " takes any GPU", "name the GPU with --gpu"));
    }
    Result<System> pod = pod_of(*machine.system, machine.gpu->id, request.gpus.value_or(machine.system->gpus));
    if (!pod) {
      return fail(pod.error());
    }
    machine.pod = std::make_shared<const System>(*pod);
    machine.system = machine.pod.get();
    return machine;
  }
  if (machine.gpu != nullptr && machine.gpu->id != machine.system->gpu_id) {
    return fail(conflict(
        "gpu",
        request.system + " has " + std::string(machine.system->gpu_id) + ", not " + std::string(machine.gpu->id),
        "drop one of the two"));
  }
  Result<const Gpu*> gpu = find_gpu(*context.catalog, machine.system->gpu_id);
  if (!gpu) {
    return fail(gpu.error());
  }
  machine.gpu = *gpu;
  return machine;
}

Result<std::int64_t> gpus_of(const JobRequest& request, const System* system) {
  const TargetRequest& target = request.target;
  if (target.nodes && system == nullptr) {
    return fail(conflict("nodes", "nodes of which system?", "name it with --system, or give --gpus"));
  }
  const std::int64_t per_node = system == nullptr ? 1 : system->gpus;
  const std::int64_t nodes = std::min(target.nodes.value_or(1), kMostGpus);
  if (target.gpus && target.nodes && *target.gpus != nodes * per_node) {
    return fail(conflict("gpus",
                         std::to_string(nodes) + " nodes of " + std::to_string(per_node) + " GPUs are not " +
                             std::to_string(*target.gpus) + " GPUs",
                         "give one of the two"));
  }
  const std::int64_t by_layout = stated_product(request.layout);
  const std::int64_t by_system = system == nullptr ? by_layout : nodes * per_node;
  const std::int64_t gpus = target.gpus.value_or(target.nodes || by_layout == 1 ? by_system : by_layout);
  if (gpus > kMostGpus) {
    return fail({ErrorCode::invalid_input,
                 "gpus",
                 std::to_string(gpus) + " GPUs are more than there are",
                 "at most " + std::to_string(kMostGpus)});
  }
  return gpus;
}

void add_rates(const Context& context, NamedTarget& named, const System* system) {
  const Gpu& gpu = named.whole != nullptr ? *named.whole : *named.target.gpu;
  const Result<GpuRates> rates = rates_of(gpu, *named.book, *context.catalog);
  if (!rates) {
    named.no_step_time = "fit.no_time_without_rates";
    return;
  }
  named.target.rates = *rates;
  named.target.rates->gpu = named.target.gpu;
  named.target.cluster = system == nullptr ? usual_cluster(gpu, std::min<std::int64_t>(named.gpus, 8), *named.book)
                                           : cluster_of(*system, gpu, *named.book);
}

}  // namespace

Result<NamedTarget> read_target(const Context& context, const JobRequest& request) {
  const Result<Machine> machine = machine_of(context, request.target);
  if (!machine) {
    return fail(machine.error());
  }
  const Result<std::int64_t> gpus = gpus_of(request, machine->system);
  if (!gpus) {
    return fail(gpus.error());
  }
  NamedTarget named;
  named.gpus = *gpus;
  named.pod = machine->pod;
  named.target.gpu = machine->gpu;
  named.target.held_by_others = request.target.held_by_others.value_or(Bytes{});
  named.system = machine->system == nullptr ? "" : std::string(machine->system->id);
  Result<RatesBook> book = rates_book(*context.catalog);
  if (!book) {
    return fail(book.error());
  }
  named.book = std::make_shared<const RatesBook>(std::move(*book));
  if (machine->gpu == nullptr) {
    named.no_step_time = "fit.no_time_without_gpu";
    return named;
  }
  if (request.target.mig) {
    const Result<Gpu> instance = instance_of(*machine->gpu, *request.target.mig);
    if (!instance) {
      return fail(instance.error());
    }
    if (named.gpus > 1) {
      return fail(conflict("mig", "one job runs in one instance", "drop gpus, nodes and the layout, or mig"));
    }
    named.whole = machine->gpu;
    named.instance = std::make_shared<const Gpu>(*instance);
    named.target.gpu = named.instance.get();
  }
  if (named.target.held_by_others >= named.target.gpu->memory_reported) {
    return fail(conflict("held_by_others", "is all the memory of the GPU or more", "give what is really held"));
  }
  add_rates(context, named, machine->system);
  return named;
}

GpuChoice choice_of(const Context& context, const NamedTarget& target, const Gpu& gpu) {
  GpuChoice choice{.gpu = &gpu};
  const Result<GpuRates> rates = rates_of(gpu, *target.book, *context.catalog);
  if (rates) {
    choice.rates = *rates;
    choice.cluster = usual_cluster(gpu, std::min<std::int64_t>(target.gpus, 8), *target.book);
  }
  return choice;
}

Result<std::optional<ParallelLayout>> read_layout(const LayoutRequest& request,
                                                  std::int64_t gpus,
                                                  const Profile& profile) {
  if (request.empty()) {
    return std::nullopt;
  }
  ParallelLayout layout;
  layout.tensor_parallel = request.tensor_parallel.value_or(1);
  layout.context_parallel = request.context_parallel.value_or(1);
  layout.pipeline_parallel = request.pipeline_parallel.value_or(1);
  layout.virtual_pipeline = request.virtual_pipeline.value_or(1);
  layout.expert_parallel = request.expert_parallel.value_or(1);
  layout.expert_tensor_parallel = request.expert_tensor_parallel.value_or(1);
  layout.reshard_after_forward = request.reshard_after_forward.value_or(true);
  layout.sequence_parallel = request.sequence_parallel.value_or(layout.tensor_parallel > 1 &&
                                                                profile.memory.sequence_parallel_with_tensor_parallel);
  LayoutRequest others = request;
  others.dp_replicate.reset();
  others.dp_shard.reset();
  const std::int64_t model_ranks = stated_product(others);
  const std::int64_t data_ranks = gpus / model_ranks;
  if (data_ranks * model_ranks != gpus) {
    return fail(conflict("gpus",
                         "tensor_parallel x context_parallel x pipeline_parallel = " + std::to_string(model_ranks) +
                             " does not divide " + std::to_string(gpus) + " GPUs",
                         "change the GPUs or the layout"));
  }
  const ParallelLayout usual = usual_layout(profile, data_ranks);
  const std::int64_t stage =
      request.zero_stage.value_or(request.dp_shard.value_or(1) > 1 && usual.zero_stage == 0 ? 3 : usual.zero_stage);
  layout.zero_stage = static_cast<int>(data_ranks > 1 || request.zero_stage ? stage : 0);
  if (request.dp_shard) {
    layout.dp_shard = *request.dp_shard;
    layout.dp_replicate = request.dp_replicate.value_or(std::max<std::int64_t>(data_ranks / layout.dp_shard, 1));
  } else if (request.dp_replicate) {
    layout.dp_replicate = *request.dp_replicate;
    layout.dp_shard = std::max<std::int64_t>(data_ranks / layout.dp_replicate, 1);
  } else {
    (layout.zero_stage > 0 ? layout.dp_shard : layout.dp_replicate) = data_ranks;
  }
  return layout;
}

}  // namespace mekiki
