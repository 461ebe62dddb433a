// What --explain asks for, with the formulas and the statements of the profile that stand in data files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "report/explain_report.h"

namespace mekiki {

/// The table of formulas of the catalogue. Errors: not_found, invalid_input.
Result<std::vector<FormulaRow>> formulas_of(const Context& context);

/// What a person asks for beside the answer of fit().
struct FitExtras {
  std::optional<ExplainAnswer> explained;  // set with --explain
  std::string talk;                        // says that the file of --worksheet was written
};

/// Writes the file of --worksheet. `request` and its answer `report` need only live during the call. Errors: not_found
/// for an unknown term, those of explain(), worksheet() and the data files, io, environment where nothing may be
/// written.
Result<FitExtras> read_extras(const Context& context,
                              const Arguments& arguments,
                              const FitRequest& request,
                              const FitReport& report,
                              const KeyPlaces& places);

}  // namespace mekiki
