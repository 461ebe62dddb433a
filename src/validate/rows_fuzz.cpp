// Arbitrary bytes as a file of rows: read, interpreted and predicted, or refused; never a crash.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validate/memory_row.h"
#include "validate/row_context.h"
#include "validate/throughput_row.h"

namespace {

constexpr std::size_t kRowsTried = 3;
constexpr std::size_t kLongestInput = 1 << 14;

/// Whatever model a row names, it gets this one, so that its other fields are reached.
const std::string& stand_in_model() {
  static const std::string model = "llama-3.2-1b";
  return model;
}

const mekiki::RowContext& context() {
  static const mekiki::RowContext made = [] {
    const std::vector<std::string> texts{stand_in_model()};
    auto result = mekiki::make_row_context(mekiki::bundled_catalog(), texts, {});
    return result ? std::move(*result) : mekiki::RowContext{};
  }();
  return made;
}

template <class Rows>
void try_rows(const mekiki::Result<Rows>& rows) {
  if (!rows) {
    return;
  }
  for (std::size_t i = 0; i < std::min(rows->size(), kRowsTried); ++i) {
    if ((*rows)[i].known) {
      auto known = *(*rows)[i].known;
      known.model = stand_in_model();
      static_cast<void>(mekiki::predict(known, context()));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (context().catalog == nullptr || size > kLongestInput) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_rows(mekiki::read_memory_rows(text, "rows.csv"));
  try_rows(mekiki::read_throughput_rows(text, "rows.csv"));
  return 0;
}
