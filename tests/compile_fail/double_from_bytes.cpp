// A number comes out of an amount by dividing by a unit, never by itself.
// Expected: (cannot convert|could not convert|conversion from|no viable conversion).*double
#include "base/quantity.h"

double gibibytes(mekiki::Bytes memory) {
#ifdef MUST_NOT_COMPILE
  return memory;
#else
  return memory / mekiki::kGiB;
#endif
}
