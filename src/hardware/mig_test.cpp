#include "hardware/mig.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

Gpu cut_into(std::int64_t most) {
  return {.id = "gpu",
          .memory_reported = 80.0 * kGiB,
          .memory_bandwidth = BytesPerSecond{8e11},
          .peaks = {.bf16 = FlopsPerSecond{7e14}},
          .mig_max_instances = most};
}

// Source: docs.nvidia.com/datacenter/tesla/mig-user-guide, tables of the A100 (sevenths, eighths) and of the RTX PRO
// 6000 (quarters).
TEST(Mig, SharesOfTheWholeGpu) {
  struct Case {
    std::int64_t most;
    MigProfile profile;
    double memory_gib, compute;
  };
  for (const Case& c : {Case{7, MigProfile::g1, 10, 1e14},
                        Case{7, MigProfile::g2, 20, 2e14},
                        Case{7, MigProfile::g3, 40, 3e14},
                        Case{7, MigProfile::g4, 40, 4e14},
                        Case{7, MigProfile::g7, 80, 7e14},
                        Case{4, MigProfile::g1, 20, 1.75e14},
                        Case{4, MigProfile::g4, 80, 7e14}}) {
    const Gpu instance = instance_of(cut_into(c.most), c.profile).value();
    EXPECT_DOUBLE_EQ(instance.memory_reported / kGiB, c.memory_gib) << enum_name(c.profile);
    EXPECT_DOUBLE_EQ(instance.peaks.bf16->base(), c.compute) << enum_name(c.profile);
    EXPECT_EQ(instance.peaks.fp8, std::nullopt);
  }
}

TEST(Mig, WhatCannotBeCutIsRefused) {
  EXPECT_FALSE(instance_of(cut_into(0), MigProfile::g1));
  EXPECT_FALSE(instance_of(cut_into(4), MigProfile::g7));
  EXPECT_FALSE(instance_of(cut_into(4), MigProfile::g3));
  EXPECT_EQ(instance_of(cut_into(0), MigProfile::g1).error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace mekiki
