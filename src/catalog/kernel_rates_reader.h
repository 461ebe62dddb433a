// data/measured/kernel_rates.json: what serves each GPU, rules of a step, and the usual networks.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "hardware/kernel_rates.h"

namespace mekiki {

struct UsualNetwork {
  std::string architecture;  // prefix; empty: all others
  BytesPerSecond per_gpu;
};

struct RatesBook {
  StepRules rules;
  std::vector<KernelRates> gpus;
  std::vector<AttentionGeneration> generations;
  std::vector<UsualNetwork> networks;
};

Result<RatesBook> read_rates_book(std::string_view text, std::string_view subject);

/// The book of a catalogue. Errors: not_found, invalid_input.
Result<RatesBook> rates_book(const Catalog& catalog);

/// Rates of one GPU; spans point into `catalog` and `book`, which must outlive the result.
/// Errors: not_found where the book has no row for the GPU.
Result<GpuRates> rates_of(const Gpu& gpu, const RatesBook& book, const Catalog& catalog);

/// The machine of a named system. Network: the system's own, else the usual one of the architecture (marked assumed).
ClusterView cluster_of(const System& system, const Gpu& gpu, const RatesBook& book);

/// A machine of which only the GPU and the count are known: eight to a node where the form allows it, the usual
/// network.
ClusterView usual_cluster(const Gpu& gpu, std::int64_t gpus_per_node, const RatesBook& book);

}  // namespace mekiki
