#include "memory/caching_allocator.h"

#include <random>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr double kMib = 1024.0 * 1024.0;

Bytes mib(double count) {
  return Bytes{count * kMib};
}

CachingAllocator plain(std::optional<Bytes> limit = std::nullopt) {
  return CachingAllocator(AllocatorSettings{}, limit);
}

TEST(CachingAllocator, SegmentsByTheSizeOfTheRequest) {
  // Source: pytorch/pytorch c10/cuda/CUDACachingAllocator.cpp, kSmallSize, kSmallBuffer, kMinLargeAlloc, kLargeBuffer,
  // kRoundLarge.
  const struct {
    double request, allocated, reserved;  // MiB
  } cases[] = {{1.0 / kMib, 512.0 / kMib, 2},
               {1, 1, 2},
               {1.25, 1.25, 20},
               {9.5, 9.5, 20},
               {10, 10, 10},
               {11, 11, 12},
               {300.5, 300.5, 302}};
  for (const auto& c : cases) {
    CachingAllocator allocator = plain();
    allocator.allocate(mib(c.request), 0);
    // What is left of a large segment joins the block unless it is more than 1 MiB.
    EXPECT_NEAR(allocator.allocated() / kByte, c.allocated * kMib, kMib) << c.request;
    EXPECT_EQ(allocator.reserved() / kByte, c.reserved * kMib) << c.request;
  }
}

TEST(CachingAllocator, FreedBlocksServeWhatFitsIntoThem) {
  CachingAllocator allocator = plain();
  const auto wide = allocator.allocate(mib(100), 0);
  allocator.free(wide);
  const auto left = allocator.allocate(mib(60), 0), right = allocator.allocate(mib(40), 0);
  EXPECT_EQ(allocator.reserved(), mib(100));
  allocator.free(left);
  allocator.free(right);
  EXPECT_EQ(allocator.allocated(), Bytes{});
  allocator.allocate(mib(100), 0);  // the two have joined again
  EXPECT_EQ(allocator.reserved(), mib(100));
}

TEST(CachingAllocator, ALiveBlockKeepsItsNeighboursApart) {
  CachingAllocator allocator = plain();
  allocator.free(allocator.allocate(mib(100), 0));
  const auto left = allocator.allocate(mib(40), 0);
  const auto pin = allocator.allocate(mib(20), 0);
  allocator.free(left);
  allocator.allocate(mib(80), 0);  // 40 + 40 are free, yet not in one piece
  EXPECT_EQ(allocator.reserved(), mib(180));
  allocator.free(pin);
}

TEST(CachingAllocator, StreamsShareNothing) {
  CachingAllocator allocator = plain();
  allocator.free(allocator.allocate(mib(100), 0));
  allocator.allocate(mib(100), 1);
  EXPECT_EQ(allocator.reserved(), mib(200));
}

TEST(CachingAllocator, ExpandableSegmentsMapWhatIsMissing) {
  CachingAllocator allocator(AllocatorSettings{.expandable_segments = true}, std::nullopt);
  allocator.free(allocator.allocate(mib(100), 0));
  allocator.allocate(mib(130), 0);
  EXPECT_EQ(allocator.reserved(), mib(140));  // 100 are there, 30 more in pages of 20
}

TEST(CachingAllocator, WideBlocksStayWholeAboveTheSplitLimit) {
  CachingAllocator allocator(AllocatorSettings{.max_split_size = mib(50)}, std::nullopt);
  allocator.free(allocator.allocate(mib(100), 0));
  allocator.allocate(mib(30), 0);  // must not cut the block of 100
  EXPECT_EQ(allocator.reserved(), mib(130));
  allocator.allocate(mib(90), 0);  // may take it
  EXPECT_EQ(allocator.reserved(), mib(130));
}

TEST(CachingAllocator, PowersOfTwoInSteps) {
  CachingAllocator allocator(AllocatorSettings{.roundup_power2_divisions = 4}, std::nullopt);
  allocator.allocate(mib(1100), 0);
  EXPECT_EQ(allocator.allocated(), mib(1280));  // 1024, 1280, 1536, ...
}

TEST(CachingAllocator, GivesBackFreeSegmentsBeforeItFails) {
  CachingAllocator allocator = plain(mib(150));
  allocator.free(allocator.allocate(mib(100), 0));
  allocator.allocate(mib(120), 0);
  EXPECT_FALSE(allocator.out_of_memory());
  EXPECT_EQ(allocator.reserved(), mib(120));
  allocator.allocate(mib(40), 0);
  EXPECT_TRUE(allocator.out_of_memory());
}

TEST(CachingAllocator, ACutSegmentCannotBeGivenBack) {
  CachingAllocator allocator = plain(mib(150));
  allocator.free(allocator.allocate(mib(100), 0));
  allocator.allocate(mib(10), 0);  // cut from the block of 100
  allocator.allocate(mib(95), 0);
  EXPECT_TRUE(allocator.out_of_memory());  // although no more than 105 are live
}

TEST(CachingAllocator, NothingIsLostInAnyOrder) {
  for (const bool expandable : {false, true}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      std::mt19937 random(seed);
      CachingAllocator allocator(AllocatorSettings{.expandable_segments = expandable}, std::nullopt);
      std::vector<CachingAllocator::BlockId> live;
      for (int i = 0; i < 2000; ++i) {
        if (live.empty() || random() % 5 < 3) {
          const double size = std::exp2(static_cast<double>(random() % 2800) / 100.0);
          live.push_back(allocator.allocate(Bytes{size}, random() % CachingAllocator::kStreams));
        } else {
          std::swap(live[random() % live.size()], live.back());
          allocator.free(live.back());
          live.pop_back();
        }
        ASSERT_LE(allocator.allocated(), allocator.reserved());
      }
      for (const auto id : live) {
        allocator.free(id);
      }
      EXPECT_EQ(allocator.allocated(), Bytes{});
    }
  }
}

}  // namespace
}  // namespace mekiki
