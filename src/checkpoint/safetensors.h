// The header of a safetensors file: which tensors it holds and where. The tensor data itself is never needed, so a file
// of any size is judged from its first bytes and its length.
//
// Layout: 8 bytes, little endian, with the length N of the header; N bytes of JSON; the data. Refused, each with the
// file, the tensor and the reason: a header beyond 100,000,000 bytes or beyond the file, one that does not begin with
// "{", is no JSON or no UTF-8, or gives a key twice; metadata that is not text; an unknown dtype; a dimension that is
// negative or no integer; sizes that overflow or disagree with the offsets; data that overlaps, leaves a hole or does
// not end with the file. Unknown keys beside dtype, shape and data_offsets are ignored, as the reference does.
// Source: huggingface/safetensors 24b0b28, safetensors/src/tensor.rs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "checkpoint/stored_dtype.h"

namespace mekiki {

struct CheckpointTensor {
  std::string name;
  StoredDtype dtype = StoredDtype::f32;
  std::vector<std::int64_t> shape;  // empty: one element
  std::int64_t elements = 1;
  // Bytes of the data, relative to its start.
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t bytes() const { return end - begin; }
  bool operator==(const CheckpointTensor&) const = default;
};

struct SafetensorsHeader {
  std::uint64_t data_begin = 0;  // offset in the file
  std::map<std::string, std::string> metadata;
  std::vector<CheckpointTensor> tensors;  // in the order of their data
};

inline constexpr std::size_t kSafetensorsPrefix = 8;
inline constexpr std::uint64_t kSafetensorsHeaderLimit = 100'000'000;

/// Bytes from the start of the file to the end of its header, from the first 8 bytes. `subject` names the file in
/// errors. Errors: invalid_input.
Result<std::uint64_t> safetensors_header_end(std::string_view prefix,
                                             std::uint64_t file_length,
                                             std::string_view subject);

/// The header, from the first bytes of the file (at least to the end of the header; more is ignored) and the length of
/// the whole file. Errors: invalid_input; the subject is "FILE" or "FILE:/TENSOR".
Result<SafetensorsHeader> parse_safetensors(std::string_view first_bytes,
                                            std::uint64_t file_length,
                                            std::string_view subject);

}  // namespace mekiki
