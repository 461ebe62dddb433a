// Prices of storage, traffic and calls of models that the command line asks for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "cost/tariff.h"
#include "report/tariff_report.h"

namespace mekiki {

/// --of; unset: machines. Errors: not_found for another word, usage for --gpu beside a service.
Result<std::optional<Service>> service_filter(const Arguments& arguments);

/// "data/prices/storage.csv".
std::string_view bundled_path(Service service);

/// The bundled book of a service, checked. Errors: those of its reader; not_found where the catalogue lacks it.
Result<TariffBook> bundled_tariffs(const Context& context, Service service);

/// A book of the user, checked against the bundled one. Errors: those of its reader.
Result<TariffBook> own_tariffs(const Context& context, Service service, std::string_view text, const std::string& path);

/// The bundled tariffs and those of --price-book, as --provider and --kind leave them, known on the day of the answer.
struct TariffRows {
  std::vector<Tariff> tariffs;
  std::string talk;  // what the user's books have that is no price
};
Result<TariffRows> filtered_tariffs(const Context& context, const Arguments& arguments, Service service);

TariffLine line_of(const Tariff& tariff, Date today);

}  // namespace mekiki
