#include "program/optimizer_state.h"

#include <gtest/gtest.h>

#include "job/profile_for_tests.h"
#include "model/small_arch_for_tests.h"
#include "program/prepared_model.h"

namespace mekiki {
namespace {

OptimizerState state(Optimizer optimizer, std::int64_t rank = 16) {
  const Job job{.optimizer = optimizer, .optimizer_rank = rank};
  const ResolvedJob resolved = with_defaults(job, for_tests::plain_profile(), {}).value();
  return prepare_model(for_tests::dense_arch(), resolved).value().optimizer;
}

// Four layers of width 128: q 128x128, k and v 128x64, o 128x128, gate and up 128x256, down 256x128; norms 2 x 128.
constexpr double kMatrices = 128.0 * (128 + 64 + 64 + 128 + 3 * 256);
constexpr double kLayers = 4 * (kMatrices + 2 * 128);
constexpr double kAll = kLayers + 2.0 * 1000 * 128;

TEST(OptimizerState, LowRankMomentsHaveTheLongerSide) {
  // Source: arXiv 2403.03507: moments [r, n] twice in fp32, projection [m, r] in 16 bit.
  const double longer = 4 * (128 + 128 + 128 + 128 + 3 * 256), shorter = 4 * (128 + 64 + 64 + 128 + 3 * 128);
  const double plain = (kAll - 4 * kMatrices) * 8.0;
  EXPECT_NEAR(state(Optimizer::galore).bytes_per_element * kAll, plain + 16 * (longer * 8.0 + shorter * 2.0), 1.0);
  EXPECT_NEAR(state(Optimizer::apollo).bytes_per_element * kAll, plain + 16 * longer * 8.0, 1.0);
  EXPECT_LT(state(Optimizer::galore_8bit).bytes_per_element, state(Optimizer::galore).bytes_per_element);
  EXPECT_LT(state(Optimizer::galore, 4).bytes_per_element, state(Optimizer::galore, 64).bytes_per_element);
  EXPECT_DOUBLE_EQ(state(Optimizer::galore, 4096).bytes_per_element, 8.0);  // never more than plain moments
}

TEST(OptimizerState, BlockWiseOnesHoldOneBlock) {
  EXPECT_NEAR(state(Optimizer::badam).active_share * kAll, kLayers / 4, 1.0);
  EXPECT_NEAR(state(Optimizer::lisa).active_share * kAll, kAll - kLayers / 2, 1.0);
  EXPECT_TRUE(state(Optimizer::badam).block_wise());
  EXPECT_FALSE(state(Optimizer::adamw).block_wise());
  EXPECT_DOUBLE_EQ(state(Optimizer::adamw).bytes_per_element, 8.0);
  EXPECT_DOUBLE_EQ(state(Optimizer::lomo).bytes_per_element, 0.0);
}

}  // namespace
}  // namespace mekiki
