// A bare number is no amount: the unit must be named.
// Expected: (cannot convert|could not convert|conversion from|no viable conversion).*double
#include "base/quantity.h"

mekiki::Bytes bytes(double number) {
#ifdef MUST_NOT_COMPILE
  return number;
#else
  return number * mekiki::kByte;
#endif
}
