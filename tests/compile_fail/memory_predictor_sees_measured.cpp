// A predictor takes what is known before a run; what was measured is another type.
// Expected: invalid initialization of reference|no matching function
#include "validate/memory_row.h"

bool is_predicted(const mekiki::MemoryRow& row, const mekiki::RowContext& context) {
#ifdef MUST_NOT_COMPILE
  return mekiki::predict(*row.measured, context).has_value();
#else
  return mekiki::predict(*row.known, context).has_value();
#endif
}
