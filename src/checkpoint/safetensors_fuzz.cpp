#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "checkpoint/contents.h"
#include "checkpoint/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto header = mekiki::parse_safetensors(text, size, "t");
  if (!header) {
    MEKIKI_CHECK(header.error().subject.starts_with("t") && !header.error().message.empty(),
                 "every refusal names the file and a reason");
    return 0;
  }
  std::uint64_t bytes = 0;
  for (const mekiki::CheckpointTensor& tensor : header->tensors) {
    MEKIKI_CHECK(tensor.begin == bytes, "tensors follow one another");
    bytes = tensor.end;
  }
  MEKIKI_CHECK(header->data_begin + bytes == size, "the data ends with the file");
  const std::vector<mekiki::CheckpointFile> files = {{"t", *header}};
  const mekiki::CheckpointContents contents = mekiki::contents_of(files, {.method = "", .format = "", .bits = 4});
  MEKIKI_CHECK(
      contents.weights.size() + contents.scales.size() + contents.unrecognized.size() == header->tensors.size(),
      "every tensor is a weight, serves one, or is named");
  MEKIKI_CHECK(contents.bytes == bytes, "no byte is lost");
  return 0;
}
