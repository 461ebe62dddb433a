#include "search/place.h"

#include <algorithm>

#include "search/offer_filter.h"
#include "search/parallel.h"

namespace mekiki {
namespace {

bool same_step(const Machine& a, const Machine& b, std::int64_t nodes) {
  const bool inside = nodes * a.system.gpus <= a.cluster.link_domain;
  return a.gpu == b.gpu && a.system.gpus == b.system.gpus && a.cluster.gpus_per_node == b.cluster.gpus_per_node &&
         a.cluster.link_domain == b.cluster.link_domain && a.cluster.link == b.cluster.link &&
         (inside || a.cluster.network_per_gpu == b.cluster.network_per_gpu);
}

bool names(const std::vector<std::string>& list, Name word) {
  return list.empty() || std::find(list.begin(), list.end(), word) != list.end();
}

/// Places of one kind of GPU and one engine: they share the times of kernels.
struct Errand {
  std::size_t engine = 0;
  std::vector<std::size_t> places;
};

std::vector<Errand> errands_of(const std::vector<Place>& places, std::span<const Engine> engines) {
  std::vector<Errand> errands;
  for (std::size_t e = 0; e < engines.size(); ++e) {
    std::vector<const Gpu*> gpus;
    const std::size_t first = errands.size();
    for (std::size_t p = 0; p < places.size(); ++p) {
      const Gpu* gpu = places[p].machine->gpu;
      if (!runs_on(engines[e].limits, *gpu, places[p].nodes)) {
        continue;
      }
      const auto known = std::find(gpus.begin(), gpus.end(), gpu);
      if (known == gpus.end()) {
        gpus.push_back(gpu);
        errands.push_back({e, {p}});
      } else {
        errands[first + static_cast<std::size_t>(known - gpus.begin())].places.push_back(p);
      }
    }
  }
  return errands;
}

/// Rounds after which a place counts as one where nothing holds.
constexpr int kMostRounds = 6;

Exploration explored(
    const PlanContext& context, const Place& place, const Engine& engine, Bytes capacity, LayoutEvaluator& evaluator) {
  const LayoutLimits limits =
      limits_of(*context.request->arch, engine.job.sequence_length, place.nodes * place.machine->system.gpus);
  return explore(engine, limits, context.space, {place.machine, place.nodes, capacity}, evaluator);
}

/// The best pick that a replay bears out. Where the closed form promised too much, its framework is asked again with
/// the capacity less by what the two differ.
void settle_pick(Place& place, const PlanContext& context) {
  std::vector<Bytes> room(place.by_engine.size(), place.machine->gpu->memory_reported);
  for (int round = 0; round < kMostRounds; ++round) {
    const std::optional<Pick> best = pick_of(place.by_engine);
    if (!best) {
      return;
    }
    Pick pick = confirmed(context, *place.machine, *best);
    if (pick.holds_as_found()) {
      place.pick = std::move(pick);
      return;
    }
    Exploration& exploration = place.by_engine[best->engine];
    const Bytes promised = (best->fits ? exploration.fits : exploration.tight)->device;
    Bytes& capacity = room[best->engine];
    capacity = std::min(0.995, promised / pick.memory->device.mid) * capacity;
    const Engine& engine = context.engines[best->engine];
    LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *place.machine->rates);
    Exploration again = explored(context, place, engine, capacity, evaluator);
    again.considered = exploration.considered;
    again.evaluated += exploration.evaluated;
    again.pruned = exploration.pruned;
    exploration = again;
  }
}

}  // namespace

bool is_asked(const Machine& machine, const PlanFilters& filters) {
  return names(filters.systems, machine.system.id) && names(filters.gpus, machine.gpu->id) &&
         names(filters.providers, machine.system.provider) && names(filters.gpu_families, gpu_family(*machine.gpu));
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

bool has_format(const Gpu& gpu, Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return true;
    case Precision::fp16_mixed:
      return dense_peak(gpu, Dtype::fp16).has_value();
    case Precision::bf16_mixed:
    case Precision::bf16_pure:
      return dense_peak(gpu, Dtype::bf16).has_value();
    case Precision::fp8:
      return dense_peak(gpu, Dtype::fp8).has_value();
    case Precision::mxfp8:
      return dense_peak(gpu, Dtype::mxfp8).has_value();
    case Precision::nvfp4:
      return dense_peak(gpu, Dtype::nvfp4).has_value();
  }
  return true;
}

std::vector<Place> places_of(std::span<const Machine> machines,
                             const PlanFilters& filters,
                             std::int64_t max_gpus,
                             Precision precision) {
  std::vector<Place> places;
  for (const Machine& machine : machines) {
    if (!machine.rates || !is_asked(machine, filters) || !has_format(*machine.gpu, precision)) {
      continue;
    }
    for (const std::int64_t nodes : nodes_asked(machine, filters, max_gpus)) {
      const auto shared = std::find_if(places.begin(), places.end(), [&](const Place& place) {
        return place.nodes == nodes && same_step(*place.machine, machine, nodes);
      });
      if (shared != places.end()) {
        shared->machines.push_back(&machine);
      } else {
        places.push_back({.machine = &machine, .nodes = nodes, .machines = {&machine}});
      }
    }
  }
  return places;
}

void explore_places(std::vector<Place>& places, const PlanContext& context, unsigned threads) {
  for (Place& place : places) {
    place.by_engine.resize(context.engines.size());
  }
  const std::vector<Errand> errands = errands_of(places, context.engines);
  for_each_index(errands.size(), threads, [&](std::size_t i) {
    const Engine& engine = context.engines[errands[i].engine];
    const Place& first = places[errands[i].places.front()];
    LayoutEvaluator evaluator(engine.model, engine.job, *engine.profile, *first.machine->rates);
    for (const std::size_t p : errands[i].places) {
      Place& place = places[p];
      if (context.request->stop && context.request->stop()) {
        place.by_engine[errands[i].engine].left = true;
        continue;
      }
      place.by_engine[errands[i].engine] =
          explored(context, place, engine, place.machine->gpu->memory_reported, evaluator);
    }
  });
  for_each_index(places.size(), threads, [&](std::size_t i) {
    Place& place = places[i];
    settle_pick(place, context);
    if (place.pick) {
      place.runnable_by = frameworks_that_run(context, *place.machine, place.nodes, *place.pick);
    }
  });
}

}  // namespace mekiki
