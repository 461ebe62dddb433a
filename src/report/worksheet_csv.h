// A worksheet as CSV that spreadsheets open: inputs as numbers, totals as formulas.
#pragma once

#include <string>
#include <vector>

#include "explain/worksheet.h"
#include "report/voice.h"

namespace mekiki {

/// One header line with the names of SheetColumn, one line per row. Numbers have all their digits and no grouping.
/// Source and note are in the voice's language.
std::string worksheet_csv(const std::vector<SheetRow>& rows, const Voice& say);

}  // namespace mekiki
