// A Result is no value: it may hold an error.
// Expected: (cannot convert|could not convert|conversion from|no viable conversion).*expected
#include "base/quantity.h"
#include "base/result.h"

mekiki::Bytes memory_or_nothing(const mekiki::Result<mekiki::Bytes>& memory) {
#ifdef MUST_NOT_COMPILE
  return memory;
#else
  return memory.value_or(mekiki::Bytes{});
#endif
}
