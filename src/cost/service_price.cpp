#include "cost/service_price.h"

#include "cost/tariff.h"

namespace mekiki {
namespace {

constexpr Seconds kMonth{730.0 * 3600.0};

}  // namespace

Result<std::vector<StoragePrice>> read_storage_prices(std::string_view csv,
                                                      std::string_view subject,
                                                      std::span<const Provider> providers) {
  const Result<std::vector<Tariff>> tariffs = read_sound_tariffs(csv, Service::storage, subject, providers);
  if (!tariffs) {
    return fail(tariffs.error());
  }
  std::vector<StoragePrice> prices;
  for (const Tariff& tariff : *tariffs) {
    prices.push_back({.provider = tariff.provider,
                      .service = tariff.item,
                      .kind = tariff.kind,
                      .rate = tariff.figures.front().comparable() / kGB / kMonth,
                      .as_of = tariff.as_of,
                      .source = tariff.source});
  }
  return prices;
}

Result<std::vector<EgressPrice>> read_egress_prices(std::string_view csv,
                                                    std::string_view subject,
                                                    std::span<const Provider> providers) {
  const Result<std::vector<Tariff>> tariffs = read_sound_tariffs(csv, Service::egress, subject, providers);
  if (!tariffs) {
    return fail(tariffs.error());
  }
  std::vector<EgressPrice> prices;
  for (const Tariff& tariff : *tariffs) {
    prices.push_back({.provider = tariff.provider,
                      .path = tariff.item,
                      .rate = tariff.figures.front().comparable() / kGB,
                      .as_of = tariff.as_of,
                      .source = tariff.source});
  }
  return prices;
}

const StoragePrice* storage_of(std::span<const StoragePrice> prices, std::string_view provider) {
  for (const std::string_view kind : {"object", "file"}) {
    for (const StoragePrice& price : prices) {
      if (!provider.empty() && price.provider == provider && price.kind == kind) {
        return &price;
      }
    }
  }
  return nullptr;
}

const EgressPrice* egress_of(std::span<const EgressPrice> prices, std::string_view provider) {
  for (const EgressPrice& price : prices) {
    if (!provider.empty() && price.provider == provider && (price.path == "internet" || price.path == "network")) {
      return &price;
    }
  }
  return nullptr;
}

}  // namespace mekiki
