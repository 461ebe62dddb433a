// What a plan is made from, out of a catalogue: machines, and the price of each that has one.
#pragma once

#include <vector>

#include "catalog/catalog.h"
#include "catalog/kernel_rates_reader.h"
#include "cost/gpu_hour.h"
#include "cost/offer.h"
#include "cost/service_price.h"
#include "hardware/machine.h"

namespace mekiki {

struct Market {
  std::vector<Machine> machines;  // systems in the order of the catalogue, then pods as offers make them concrete
  std::vector<PriceChoice> prices;
  std::vector<StoragePrice> storage;
  std::vector<EgressPrice> egress;
};

/// Machines and prices as known on `day`. `book` and `catalog` must outlive the result.
/// Errors: those of the readers of storage and egress prices; not_found where the catalogue lacks the files.
Result<Market> market_of(const Catalog& catalog, const RatesBook& book, Date day);

/// What an hour of each GPU costs at least on `day`, by the prices of the catalogue.
std::vector<GpuHour> gpu_hours_of(const Catalog& catalog, Date day);

}  // namespace mekiki
