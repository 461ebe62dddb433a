// Machines that no forecast of a step can tell apart, so that each layout is evaluated once for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/machine.h"
#include "search/plan.h"

namespace mekiki {

/// A class of equal machines and the numbers of nodes that any of them is asked for.
struct MachineClass {
  std::vector<const Machine*> machines;  // with rates; the first stands for all
  std::vector<std::int64_t> nodes;       // ascending
};

/// Whether the filters leave the machine in.
bool is_asked(const Machine& machine, const PlanFilters& filters);

/// Powers of two up to `max_gpus`, or what the filters fix; one alone where nobody vouches for a network.
std::vector<std::int64_t> nodes_asked(const Machine& machine, const PlanFilters& filters, std::int64_t max_gpus);

/// Classes in the order of their first machine. Machines without rates are left out.
std::vector<MachineClass> machine_classes(std::span<const Machine> machines,
                                          const PlanFilters& filters,
                                          std::int64_t max_gpus);

}  // namespace mekiki
