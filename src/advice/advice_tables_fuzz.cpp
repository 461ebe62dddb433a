// Tables of advice: the first byte chooses which one the rest is read as.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "advice/checklist.h"
#include "advice/matrix.h"
#include "advice/workload.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'w') {
    const auto rules = mekiki::read_workload_rules(text, "t");
    MEKIKI_CHECK(rules || rules.error().subject.starts_with("t"), "every refusal names the text");
    if (rules) {
      (void)mekiki::workload_of(*rules, mekiki::Method::lora, 7e9);
    }
  } else if (data[0] == 'm') {
    const auto rules = mekiki::read_matrix(text, "t");
    MEKIKI_CHECK(rules || rules.error().subject.starts_with("t"), "every refusal names the text");
  } else {
    const auto baselines = mekiki::read_baselines(text, "t");
    MEKIKI_CHECK(baselines || baselines.error().subject.starts_with("t"), "every refusal names the text");
  }
  return 0;
}
