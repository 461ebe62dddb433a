#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "job/text_density.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto rows = mekiki::read_text_densities({reinterpret_cast<const char*>(data), size}, "t");
  if (!rows) {
    MEKIKI_CHECK(rows.error().subject.starts_with("t"), "every refusal names the text");
    return 0;
  }
  mekiki::Job job;
  job.corpus = {.size = mekiki::kGB, .language = mekiki::TextLanguage::ja};
  const auto reading = mekiki::read_corpus(job, {.family = "llama", .vocab_size = 32000}, *rows);
  if (reading && *reading) {
    const auto& tokens = (*reading)->tokens;
    MEKIKI_CHECK(tokens.low <= tokens.mid && tokens.mid <= tokens.high, "a band is in order");
  }
  return 0;
}
