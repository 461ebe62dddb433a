// Common mistakes of buyers, each with what it would cost in money and in further runs; and beliefs that the numbers of
// this very job do not bear out.
#pragma once

#include <vector>

#include "advice/advice.h"

namespace mekiki {

/// dearest_gpu: the GPU with the highest price per hour, and what the cheapest plan saves against it. form_factor: two
/// forms of one chip with the same number of GPUs, and how much slower the slower one is. weights_alone: GPUs that
/// would hold the weights and do not hold the job. rate_is_not_cost: the lowest price per GPU-hour is not the lowest
/// cost. pcie_does: a cheapest plan of several GPUs without a fast link, and its wait. one_node_does: continued
/// pretraining that needs no cluster. Of the plans that fit; empty where there is none.
std::vector<Advice> advise_mistakes(const PlanSet& set, double weights);

}  // namespace mekiki
