// What is known of a run holds no measured rate, so that nothing can be computed from one.
// Expected: has no member named .tokens_per_s_total|no member named .tokens_per_s_total
#include "validate/rows.h"

bool is_fast(const mekiki::ThroughputRow& row) {
#ifdef MUST_NOT_COMPILE
  return row.known->tokens_per_s_total > 0;
#else
  return row.measured->tokens_per_s_total > 0;
#endif
}
