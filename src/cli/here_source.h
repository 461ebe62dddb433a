// This machine, or the saved outputs of another, as an inventory.
#pragma once

#include <memory>

#include "base/result.h"
#include "cli/commands.h"
#include "inventory/match.h"

namespace mekiki {

/// Runs the machine's tools, or reads --from DIR. A tool that is missing or fails leaves its part unknown. Errors:
/// not_found where the folder is none.
Result<Inventory> read_here(const Context& context, const Arguments& arguments);

/// The catalogue with the system "here" where the request names it; null where it does not. Errors as for read_here and
/// with_machine.
Result<std::shared_ptr<const HereCatalog>> catalog_with_here(const Context& context,
                                                             const Arguments& arguments,
                                                             const std::string& system);

}  // namespace mekiki
