#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cost/api_price.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto prices = mekiki::read_api_prices({reinterpret_cast<const char*>(data), size}, "t");
  if (!prices) {
    MEKIKI_CHECK(prices.error().subject.starts_with("t"), "every refusal names the text");
    return 0;
  }
  const auto estimate = mekiki::api_estimate(*prices, mekiki::Tokens{1e9}, mekiki::kUsd, mekiki::Date{30000});
  for (const auto& cost : {estimate.tuned, estimate.read, estimate.written}) {
    MEKIKI_CHECK(!cost || (cost->rows > 0 && cost->low <= cost->high), "a range is in order");
  }
  return 0;
}
