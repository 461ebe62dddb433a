#include <cstddef>
#include <cstdint>
#include <string_view>

#include "report/formula_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto rows = mekiki::read_formulas({reinterpret_cast<const char*>(data), size}, "formulas.csv");
  if (rows) {
    (void)mekiki::formulas_page(*rows, mekiki::Voice(mekiki::Language::english));
    (void)mekiki::formulas_of(*rows, mekiki::Term::weights);
  }
  return 0;
}
