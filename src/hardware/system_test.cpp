#include "hardware/system.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

System pod() {
  System system;
  system.id = "pod";
  system.gpu_id = kAnyGpu;
  system.gpus = 1;
  system.gpus_max = 8;
  return system;
}

TEST(PodOf, MakesTheNumberOfGpusConcrete) {
  const Result<System> one = pod_of(pod(), "toy", 1);
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->links.empty());
  EXPECT_EQ(one->link_domain, 1);
  const Result<System> eight = pod_of(pod(), "toy", 8);
  ASSERT_TRUE(eight);
  EXPECT_FALSE(is_pod(*eight));
  EXPECT_EQ(eight->gpus, 8);
  EXPECT_EQ(link_for_group(*eight, 8).kind, LinkKind::pcie);
}

TEST(PodOf, RefusesOtherNumbersAndSystemsThatAreNoPods) {
  EXPECT_EQ(pod_of(pod(), "toy", 9).error().code, ErrorCode::unsupported);
  EXPECT_EQ(pod_of(pod(), "toy", 0).error().code, ErrorCode::unsupported);
  EXPECT_EQ(pod_of(*pod_of(pod(), "toy", 2), "toy", 2).error().code, ErrorCode::invalid_input);
}

TEST(LinkForGroup, TakesTheNarrowestThatHoldsAll) {
  const LinkLevel levels[] = {{LinkKind::nvlink_bridge, 2, std::nullopt}, {LinkKind::pcie, 4, std::nullopt}};
  System system;
  system.links = levels;
  EXPECT_EQ(link_for_group(system, 1).kind, LinkKind::nvlink_bridge);
  EXPECT_EQ(link_for_group(system, 2).kind, LinkKind::nvlink_bridge);
  EXPECT_EQ(link_for_group(system, 3).kind, LinkKind::pcie);
  EXPECT_EQ(link_for_group(system, 9).kind, LinkKind::pcie);
  EXPECT_EQ(link_for_group(System{}, 2).kind, LinkKind::none);
}

}  // namespace
}  // namespace mekiki
