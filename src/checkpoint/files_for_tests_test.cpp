#include "checkpoint/files_for_tests.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <gtest/gtest.h>

namespace mekiki {

std::string test_bytes(const std::string& name) {
  std::ifstream stream(std::string(MEKIKI_SOURCE_DIR) + "/tests/data/safetensors/" + name, std::ios::binary);
  if (!stream) {
    throw std::runtime_error("there is no test file " + name);
  }
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

namespace {

TEST(FilesForTests, MissingDataIsNoticed) {
  EXPECT_FALSE(test_bytes("ok_small.safetensors").empty());
  EXPECT_THROW(test_bytes("nonesuch"), std::runtime_error);
}

}  // namespace
}  // namespace mekiki
