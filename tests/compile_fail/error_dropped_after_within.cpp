// An error seen from further out is a new error; dropping it is a slip.
// Expected: (unused-result|unused-value|nodiscard)
#pragma GCC diagnostic error "-Wunused-result"
#include <utility>

#include "base/error.h"

mekiki::Error located(mekiki::Error error) {
#ifdef MUST_NOT_COMPILE
  mekiki::within("job.yaml", error);
  return error;
#else
  return mekiki::within("job.yaml", std::move(error));
#endif
}
