#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto strict = mekiki::parse_json(text, "t");
  const auto lenient = mekiki::parse_json(text, "t", {.non_finite = mekiki::NonFiniteNumbers::read_as_null});
  if (strict) {
    MEKIKI_CHECK(lenient && *lenient == *strict, "what is JSON reads alike in both ways");
    const auto again = mekiki::parse_json(strict->dump(), "t");
    MEKIKI_CHECK(again && *again == *strict, "writing reads back");
  } else {
    MEKIKI_CHECK(strict.error().subject.starts_with("t"), "every refusal names the text");
  }
  return 0;
}
