// Prices of what a provider sells beside machines: storage by the month and traffic to the outside. Data:
// data/prices/storage.csv and egress.csv.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"
#include "cost/price.h"

namespace mekiki {

using UsdPerByte = Quantity<Dimension{.byte = -1, .usd = 1}>;
using UsdPerByteSecond = Quantity<Dimension{.byte = -1, .second = -1, .usd = 1}>;

struct StoragePrice {
  std::string provider;  // id of a Provider
  std::string service;
  std::string kind;  // object, file, block
  UsdPerByteSecond rate;
  std::optional<Date> as_of;  // unset: undated
  std::string source;
};

/// Traffic to the internet; the first tier where there are several, free allowances left out.
struct EgressPrice {
  std::string provider;
  std::string path;
  UsdPerByte rate;  // 0: the provider says it is free
  std::optional<Date> as_of;
  std::string source;
};

/// A month is 730 hours. Rows of other providers are left out. Errors: those of read_sound_tariffs (tariff.h).
Result<std::vector<StoragePrice>> read_storage_prices(std::string_view csv,
                                                      std::string_view subject,
                                                      std::span<const Provider> providers);
Result<std::vector<EgressPrice>> read_egress_prices(std::string_view csv,
                                                    std::string_view subject,
                                                    std::span<const Provider> providers);

/// What checkpoints would lie on: the provider's first object store, else its first file system; null: no price.
const StoragePrice* storage_of(std::span<const StoragePrice> prices, std::string_view provider);

/// Its first price to the internet; null: none.
const EgressPrice* egress_of(std::span<const EgressPrice> prices, std::string_view provider);

}  // namespace mekiki
