#include "catalog/machines.h"

#include <algorithm>

namespace mekiki {
namespace {

const Gpu* gpu_of(const Catalog& catalog, Name id) {
  const auto found =
      std::find_if(catalog.gpus.begin(), catalog.gpus.end(), [&](const Gpu& gpu) { return gpu.id == id; });
  return found == catalog.gpus.end() ? nullptr : &*found;
}

void add_machine(const System& system, const Catalog& catalog, const RatesBook& book, Market& market) {
  const bool known = std::any_of(market.machines.begin(), market.machines.end(), [&](const Machine& machine) {
    return machine.system.id == system.id && machine.system.gpu_id == system.gpu_id &&
           machine.system.gpus == system.gpus;
  });
  const Gpu* gpu = gpu_of(catalog, system.gpu_id);
  if (known || gpu == nullptr) {
    return;
  }
  Machine machine{.system = system, .gpu = gpu, .cluster = cluster_of(system, *gpu, book)};
  machine.cluster.system = nullptr;  // the machine may move; its system lies beside
  if (Result<GpuRates> rates = rates_of(*gpu, book, catalog)) {
    machine.rates = std::move(*rates);
  }
  market.machines.push_back(std::move(machine));
}

Result<std::string_view> document(const Catalog& catalog, std::string_view path) {
  const std::optional<std::string_view> text = find_document(catalog, path);
  if (!text) {
    return fail({ErrorCode::not_found, std::string(path), "the catalogue lacks it", ""});
  }
  return *text;
}

std::vector<PriceChoice> prices_on(const Catalog& catalog, Date day) {
  return choose_prices(join_offers({catalog.systems, catalog.prices, catalog.price_gpus}).offers, day);
}

}  // namespace

Result<Market> market_of(const Catalog& catalog, const RatesBook& book, Date day) {
  Market market;
  for (const System& system : catalog.systems) {
    if (!is_pod(system)) {
      add_machine(system, catalog, book, market);
    }
  }
  market.prices = prices_on(catalog, day);
  for (const PriceChoice& choice : market.prices) {
    add_machine(choice.offer.system, catalog, book, market);
  }
  constexpr std::string_view kStorage = "data/prices/storage.csv", kEgress = "data/prices/egress.csv";
  const Result<std::string_view> storage_text = document(catalog, kStorage), egress_text = document(catalog, kEgress);
  if (!storage_text || !egress_text) {
    return fail(!storage_text ? storage_text.error() : egress_text.error());
  }
  Result<std::vector<StoragePrice>> storage = read_storage_prices(*storage_text, kStorage, catalog.providers);
  if (!storage) {
    return fail(storage.error());
  }
  Result<std::vector<EgressPrice>> egress = read_egress_prices(*egress_text, kEgress, catalog.providers);
  if (!egress) {
    return fail(egress.error());
  }
  market.storage = std::move(*storage);
  market.egress = std::move(*egress);
  return market;
}

std::vector<GpuHour> gpu_hours_of(const Catalog& catalog, Date day) {
  return cheapest_gpu_hours(prices_on(catalog, day));
}

}  // namespace mekiki
