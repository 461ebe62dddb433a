#include "search/machine_class.h"

#include <algorithm>

namespace mekiki {
namespace {

bool same_step(const Machine& a, const Machine& b) {
  return a.gpu == b.gpu && a.system.gpus == b.system.gpus && a.cluster.gpus_per_node == b.cluster.gpus_per_node &&
         a.cluster.link_domain == b.cluster.link_domain && a.cluster.link == b.cluster.link &&
         a.cluster.network_per_gpu == b.cluster.network_per_gpu &&
         a.cluster.network_assumed == b.cluster.network_assumed;
}

bool names(const std::vector<std::string>& list, Name word) {
  return list.empty() || std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

bool is_asked(const Machine& machine, const PlanFilters& filters) {
  return names(filters.systems, machine.system.id) && names(filters.gpus, machine.gpu->id) &&
         names(filters.providers, machine.system.provider);
}

std::vector<std::int64_t> nodes_asked(const Machine& machine, const PlanFilters& filters, std::int64_t max_gpus) {
  const std::int64_t gpus = machine.system.gpus;
  std::vector<std::int64_t> nodes;
  const auto add = [&](std::int64_t n) {
    const bool allowed = n * gpus <= max_gpus && (n == 1 || joins_nodes(machine.system));
    const bool exact = filters.nodes.value_or(n) == n && filters.gpus_in_total.value_or(n * gpus) == n * gpus;
    if (allowed && exact) {
      nodes.push_back(n);
    }
  };
  if (filters.nodes) {
    add(*filters.nodes);
  } else if (filters.gpus_in_total) {
    add(std::max<std::int64_t>(*filters.gpus_in_total / gpus, 1));
  } else {
    for (std::int64_t n = 1; n * gpus <= max_gpus; n *= 2) {
      add(n);
    }
  }
  return nodes;
}

std::vector<MachineClass> machine_classes(std::span<const Machine> machines,
                                          const PlanFilters& filters,
                                          std::int64_t max_gpus) {
  std::vector<MachineClass> classes;
  for (const Machine& machine : machines) {
    if (!machine.rates || !is_asked(machine, filters)) {
      continue;
    }
    auto found = std::find_if(
        classes.begin(), classes.end(), [&](const MachineClass& c) { return same_step(*c.machines.front(), machine); });
    if (found == classes.end()) {
      classes.push_back({});
      found = classes.end() - 1;
    }
    found->machines.push_back(&machine);
    std::vector<std::int64_t> merged;
    const std::vector<std::int64_t> asked = nodes_asked(machine, filters, max_gpus);
    std::set_union(found->nodes.begin(), found->nodes.end(), asked.begin(), asked.end(), std::back_inserter(merged));
    found->nodes = std::move(merged);
  }
  return classes;
}

}  // namespace mekiki
