#include <cstddef>
#include <cstdint>
#include <string_view>

#include "audit/measured_mfu.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rows = mekiki::read_measured_mfu(text, "measured_mfu.csv");
  if (rows) {
    (void)mekiki::measured_mfu(*rows, "gpu", mekiki::Dtype::bf16);
  }
  return 0;
}
