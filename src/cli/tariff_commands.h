// The commands about prices, where they are of storage, traffic or calls of models.
#pragma once

#include <optional>
#include <string>

#include "cli/commands.h"
#include "cost/tariff.h"
#include "report/price_report.h"

namespace mekiki {

Result<Outcome> list_tariffs(const Context& context, const Arguments& arguments, Service service);
Result<Outcome> tariff_history(const Context& context, const Arguments& arguments, Service service);
Result<Outcome> tariff_changes(const Context& context, const TariffBook& before, const TariffBook& after);

/// Unset: no tariff has this id. Errors: those of the bundled books and of --price-book.
Result<std::optional<Outcome>> show_tariff(const Context& context, const Arguments& arguments, const std::string& id);

BookAnswer answer_for(const TariffBook& book, const std::string& subject);

}  // namespace mekiki
