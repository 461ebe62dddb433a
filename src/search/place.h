// Places: machines with a number of nodes, where those that no forecast of a step can tell apart share one, so that
// each layout is evaluated once for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/machine.h"
#include "search/explore.h"
#include "search/finalist.h"
#include "search/plan.h"

namespace mekiki {

struct Place {
  const Machine* machine = nullptr;  // the first of them, with rates
  std::int64_t nodes = 1;
  std::vector<const Machine*> machines;  // all of them
  std::vector<Exploration> by_engine;
  std::optional<Pick> pick;
  std::vector<std::string> runnable_by;
};

/// Whether the filters leave the machine in.
bool is_asked(const Machine& machine, const PlanFilters& filters);

/// Powers of two up to `max_gpus`, or what the filters fix; one alone where nobody vouches for a network.
std::vector<std::int64_t> nodes_asked(const Machine& machine, const PlanFilters& filters, std::int64_t max_gpus);

/// Whether the GPU multiplies in this precision.
bool has_format(const Gpu& gpu, Precision precision);

/// Places in the order of their first machine, then of nodes; machines without rates or without the precision have
/// none. Two machines share a place if GPU, GPUs per node and links are equal, and, where the job leaves the link
/// domain, the network too.
std::vector<Place> places_of(std::span<const Machine> machines,
                             const PlanFilters& filters,
                             std::int64_t max_gpus,
                             Precision precision);

/// Asks every engine that runs there, on so many threads. Fills `by_engine`, `pick` and `runnable_by`.
void explore_places(std::vector<Place>& places, const PlanContext& context, unsigned threads);

}  // namespace mekiki
