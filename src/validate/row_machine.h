// The machine of a row: rates of its GPU, links and network.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "hardware/kernel_rates.h"
#include "validate/row_context.h"
#include "validate/row_reader.h"

namespace mekiki {

struct RowMachine {
  GpuRates rates;
  ClusterView cluster;
};

/// Nodes of equal size; without a number of nodes, as many GPUs to a node as the catalogue's systems of that GPU have.
/// Links and network are the usual ones of the GPU unless the aliases read others from the row's interconnect. Errors:
/// not_found where nothing is known of the GPU's rates.
Result<RowMachine> machine_of_row(
    const RowContext& context, const Gpu& gpu, std::int64_t gpus, std::optional<std::int64_t> nodes, RowReader& reader);

}  // namespace mekiki
