// Operations per second are not operations.
// Expected: (cannot convert|could not convert|conversion from|no viable conversion).*Quantity
#include "base/quantity.h"

mekiki::Seconds duration(mekiki::Flops work, mekiki::FlopsPerSecond rate) {
#ifdef MUST_NOT_COMPILE
  return rate / work;
#else
  return work / rate;
#endif
}
