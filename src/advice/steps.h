// The choice in two steps, first the hardware, then who rents it; the axes that bind; and how to buy.
#pragma once

#include <vector>

#include "advice/advice.h"

namespace mekiki {

/// hardware_step: the GPU of the cheapest plan and the runner-up among other GPUs. provider_step: its provider and the
/// runner-up among others with the same GPU. axes: how far memory, time, network and budget of that plan are used.
std::vector<Advice> advise_steps(const PlanSet& set, const PlanFilters& filters);

/// The pattern of purchase for the cheapest plan, one of buy_*: on demand for one GPU, a reserved card for adapters
/// that are trained again, a reserved node, committed capacity for several nodes, interruptible machines with proven
/// checkpoints. With the machines' share of the cost, below which the form of purchase decides little.
std::vector<Advice> advise_purchase(const PlanSet& set);

}  // namespace mekiki
