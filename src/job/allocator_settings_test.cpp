#include "job/allocator_settings.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(AllocatorSettings, ReadsTheVariable) {
  const AllocatorOverrides both =
      parse_allocator_settings("expandable_segments:True, max_split_size_mb:512,roundup_power2_divisions:4").value();
  EXPECT_EQ(both.expandable_segments, true);
  EXPECT_EQ(both.max_split_size, Bytes{512.0 * 1024 * 1024});
  EXPECT_EQ(both.roundup_power2_divisions, 4);
  const AllocatorOverrides nothing = parse_allocator_settings("").value();
  EXPECT_FALSE(nothing.expandable_segments || nothing.max_split_size || nothing.roundup_power2_divisions);
  EXPECT_TRUE(parse_allocator_settings("garbage_collection_threshold:0.8,backend:native"));
}

TEST(AllocatorSettings, NamesWhatItCannotRead) {
  for (const char* text : {"expandable_segments",
                           "expandable_segments:perhaps",
                           "max_split_size_mb:20",
                           "max_split_size_mb:many",
                           "expandable_segment:True",
                           "backend:cudaMallocAsync"}) {
    const Result<AllocatorOverrides> settings = parse_allocator_settings(text);
    ASSERT_FALSE(settings) << text;
    EXPECT_FALSE(settings.error().hint.empty()) << text;
  }
}

}  // namespace
}  // namespace mekiki
