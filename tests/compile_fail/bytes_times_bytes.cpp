// The product of two byte counts is no byte count.
// Expected: (cannot convert|could not convert|conversion from|no viable conversion).*Quantity
#include "base/quantity.h"

mekiki::Bytes product(mekiki::Bytes memory, double factor) {
#ifdef MUST_NOT_COMPILE
  return memory * memory * factor;
#else
  return memory * factor;
#endif
}
