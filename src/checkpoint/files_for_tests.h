// Checkpoints for tests: from tests/data, or made of names and shapes.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/checkpoint_index.h"

namespace mekiki {

/// Content of a file below tests/data/safetensors. Throws where there is none: a test needs its data.
std::string test_bytes(const std::string& name);

/// A file that keeps the format: 8 bytes of length, the header, and `data_length` zeros.
inline std::string safetensors_bytes(const std::string& header, std::size_t data_length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes += static_cast<char>((header.size() >> (8 * i)) & 0xff);
  }
  return bytes + header + std::string(data_length, '\0');
}

struct TensorForTests {
  std::string name;
  StoredDtype dtype;
  std::vector<std::int64_t> shape;
};

/// The tensors one after the other.
inline CheckpointFile file_of(std::string name, std::initializer_list<TensorForTests> tensors) {
  CheckpointFile file{std::move(name), {}};
  std::uint64_t end = 0;
  for (const TensorForTests& given : tensors) {
    CheckpointTensor tensor{.name = given.name, .dtype = given.dtype, .shape = given.shape};
    for (const std::int64_t length : given.shape) {
      tensor.elements *= length;
    }
    tensor.begin = end;
    end += static_cast<std::uint64_t>(tensor.elements * bits_per_element(given.dtype) / 8);
    tensor.end = end;
    file.header.tensors.push_back(std::move(tensor));
  }
  return file;
}

}  // namespace mekiki
