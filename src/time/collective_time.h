// Seconds of collectives: measured curves inside a link domain, latency and bandwidth of the network between domains.
#pragma once

#include "base/quantity.h"
#include "hardware/kernel_rates.h"
#include "program/step_program.h"

namespace mekiki {

/// `message` is the full buffer. Inside one link domain: the measured curve of the nearest rank count, linear in
/// logarithms, beyond its last point at its last bandwidth. Across domains: the slower of the inner part and (n - 1) /
/// n of the buffer over the domain's share of the network, twice for all-reduce. Not modelled: congestion, placement,
/// rail alignment.
Seconds collective_time(const CollectiveWork& work,
                        const GroupShape& group,
                        const GpuRates& rates,
                        const ClusterView& cluster);

/// One neighbour hands `message` to the next.
Seconds send_time(Bytes message, const GroupShape& group, const GpuRates& rates, const ClusterView& cluster);

}  // namespace mekiki
