#include "search/parallel.h"

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(ForEachIndex, CallsEachIndexOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 16U}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      std::vector<int> calls(count, 0);
      for_each_index(count, threads, [&](std::size_t i) { ++calls[i]; });
      EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), 0), static_cast<int>(count));
      for (const int c : calls) {
        EXPECT_EQ(c, 1);
      }
    }
  }
}

TEST(ForEachIndex, PassesExceptionsOn) {
  for (const unsigned threads : {1U, 4U}) {
    EXPECT_THROW(for_each_index(100,
                                threads,
                                [](std::size_t i) {
                                  if (i == 50) {
                                    throw std::runtime_error("piece 50");
                                  }
                                }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace mekiki
