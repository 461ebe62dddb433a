// One data file laid over the bundled catalogue. The first line of the input is its path, the rest its text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "catalog/catalog.h"
#include "catalog/rows/row_set.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = input.find('\n');
  if (line_end == std::string_view::npos || line_end == 0) {
    return 0;
  }
  const mekiki::DataFile files[] = {
      {std::string(input.substr(0, line_end)), std::string(input.substr(line_end + 1))},
      {"measured/files.csv",
       "file,gpu_id,source,notes\nmeasured/gemm/x.csv,l40s,own,\nmeasured/attention/x.csv,l40s,own,\n"
       "measured/collectives/x.csv,l40s,own,\n"}};
  const auto rows = mekiki::read_rows(files, mekiki::bundled_catalog().gpus);
  if (!rows) {
    MEKIKI_CHECK(!rows.error().subject.empty() && !rows.error().message.empty(),
                 "every refusal has a place and a reason");
    return 0;
  }
  for (const mekiki::Gpu& gpu : rows->gpus) {
    MEKIKI_CHECK(gpu.memory_reported > mekiki::Bytes{} && !gpu.id.empty(), "a row that is read is whole");
  }
  for (const mekiki::Price& price : rows->prices) {
    MEKIKI_CHECK(price.gpus > 0, "a row that is read is whole");
  }
  return 0;
}
