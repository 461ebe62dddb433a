// Amounts of different units do not add.
// Expected: no match for .operator\+|invalid operands to binary expression
#include "base/quantity.h"

mekiki::Bytes add(mekiki::Bytes memory, [[maybe_unused]] mekiki::Seconds time) {
#ifdef MUST_NOT_COMPILE
  return memory + time;
#else
  return memory + memory;
#endif
}
