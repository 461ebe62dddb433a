#include "time/kernel_time.h"

#include <gtest/gtest.h>

#include "time/collective_time.h"
#include "time/machine_for_tests.h"

namespace mekiki {
namespace {

TEST(GemmEfficiency, MeasuredPointsAndWhatLiesBetween) {
  const GemmSurface& surface = for_tests::round_surface().front();
  struct Row {
    const char* what;
    double m, n, k, expected;
  };
  for (const Row& row : {Row{"smallest m", 128, 4096, 4096, 0.4},
                         Row{"largest m", 8192, 4096, 4096, 0.8},
                         Row{"beyond the largest", 65536, 4096, 4096, 0.8},
                         Row{"half way in log m", 1024, 4096, 4096, 0.6},
                         Row{"below the smallest, in proportion", 64, 4096, 4096, 0.2},
                         Row{"a narrow side costs its square root", 8192, 256, 4096, 0.4}}) {
    EXPECT_NEAR(gemm_efficiency(surface, row.m, row.n, row.k), row.expected, 1e-6) << row.what;
  }
}

TEST(GemmTime, AtLeastItsTrafficAndNeverFasterWhenLarger) {
  const GpuRates rates = for_tests::round_rates();
  Seconds before;
  for (const double m : {1.0, 16.0, 256.0, 1024.0, 8192.0}) {
    const Seconds now = gemm_time({m, 4096, 4096, 1, Dtype::bf16}, Pass::forward, rates);
    EXPECT_GE(now, before);
    EXPECT_GE(now, memory_time(Bytes{2.0 * (m * 4096 + 4096.0 * 4096 + m * 4096)}, rates));
    before = now;
  }
}

TEST(GemmTime, HigherPeakNeverRaises) {
  GpuRates rates = for_tests::round_rates();
  const GemmWork work{4096, 4096, 4096, 1, Dtype::bf16};
  const Seconds slow = gemm_time(work, Pass::backward, rates);
  Gpu faster = *rates.gpu;
  faster.peaks.bf16 = *faster.peaks.bf16 * 2.0;
  faster.memory_bandwidth = faster.memory_bandwidth * 2.0;
  rates.gpu = &faster;
  EXPECT_LT(gemm_time(work, Pass::backward, rates), slow);
}

TEST(AttentionTime, GrowsWithLengthAndShrinksWithAWindow) {
  const GpuRates rates = for_tests::round_rates();
  AttentionWork work{.batch = 1, .heads = 32, .sequence_length = 4096, .qk_dim = 128, .v_dim = 128};
  const Seconds whole = attention_time(work, Pass::forward, rates);
  EXPECT_GT(attention_time(work, Pass::backward, rates), whole);
  work.sliding_window = 512;
  EXPECT_LT(attention_time(work, Pass::forward, rates), whole);
  work.sliding_window = 0;
  work.sequence_length = 8192;
  EXPECT_GT(attention_time(work, Pass::forward, rates), 2.0 * whole);
  work.kernel = AttentionKernel::eager;
  EXPECT_GT(attention_time(work, Pass::forward, rates), Seconds{});
}

TEST(CollectiveTime, OnTheCurveAndBeyond) {
  const GpuRates rates = for_tests::round_rates();
  const ClusterView cluster = for_tests::round_cluster();
  const GroupShape node{8, 1};
  const auto all_reduce = [&](double bytes, const GroupShape& group) {
    return collective_time({Collective::all_reduce, RankGroup::tensor, Bytes{bytes}}, group, rates, cluster);
  };
  EXPECT_NEAR(all_reduce(1 << 30, node) / kSecond, 1.0 / 128, 1e-9);
  EXPECT_NEAR(all_reduce(1 << 20, node) / kSecond, 1.0 / 4096, 1e-9);         // half way in both logarithms
  EXPECT_NEAR(all_reduce(4.0 * (1 << 30), node) / kSecond, 4.0 / 128, 1e-9);  // last bandwidth goes on
  EXPECT_EQ(all_reduce(1e9, {1, 1}), Seconds{});
  // 16 ranks over two nodes on a thin network: 2 x 15/16 of the buffer over 8 x 5 GB/s x 0.8, plus start and two steps.
  ClusterView thin = cluster;
  thin.network_per_gpu = BytesPerSecond{5e9};
  const CollectiveWork gigabyte{Collective::all_reduce, RankGroup::tensor, Bytes{1e9}};
  EXPECT_NEAR(
      collective_time(gigabyte, {16, 1}, rates, thin) / kSecond, 2.0 * 15 / 16 * 1e9 / (8 * 5e9 * 0.8) + 42e-6, 1e-9);
  Seconds before;
  for (const double bytes : {1e3, 1e5, 1e7, 1e9, 1e11}) {
    for (const std::int64_t ranks : {2, 8, 64}) {
      EXPECT_GE(all_reduce(bytes, {ranks, 1}), Seconds{});
    }
    EXPECT_GE(all_reduce(bytes, node), before);
    before = all_reduce(bytes, node);
  }
}

/// 64 ranks on eight nodes, eight experts a token: a copy to each leaves its node in 7 of 8 cases. Once per node
/// 8 (1 - (7/8)^8) = 5.25 nodes are visited in place of eight copies; with choices on four nodes 4 (1 - (3/4)^8)
/// = 3.60.
TEST(CollectiveTime, OneCopyPerNodeCrossesTheNetworkLess) {
  const GpuRates rates = for_tests::round_rates();
  const ClusterView cluster = for_tests::round_cluster();
  const auto bytes_out = [&](float copies, std::int16_t most_nodes) {
    const CollectiveWork work{Collective::all_to_all, RankGroup::expert, Bytes{1e10}, copies, most_nodes};
    return (collective_time(work, {64, 1}, rates, cluster) - Seconds{30e-6}) / kSecond * 50e9 * 0.8;
  };
  EXPECT_NEAR(bytes_out(0, 0), 7.0 / 8 * 1e10, 1e3);
  EXPECT_NEAR(bytes_out(8, 0), 7.0 / 8 * 1e10 * 5.2512 / 8, 1e6);
  EXPECT_NEAR(bytes_out(8, 4), 7.0 / 8 * 1e10 * 3.5996 / 8, 1e6);
  EXPECT_NEAR(bytes_out(1, 0), bytes_out(0, 0), 1e3) << "one copy has nothing to save";
}

TEST(CollectiveTime, MoreNetworkNeverSlower) {
  const GpuRates rates = for_tests::round_rates();
  ClusterView cluster = for_tests::round_cluster();
  for (const Collective kind :
       {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all}) {
    const CollectiveWork work{kind, RankGroup::data_shard, Bytes{1e9}};
    cluster.network_per_gpu = BytesPerSecond{25e9};
    const Seconds slow = collective_time(work, {64, 1}, rates, cluster);
    cluster.network_per_gpu = BytesPerSecond{50e9};
    EXPECT_LE(collective_time(work, {64, 1}, rates, cluster), slow);
  }
}

}  // namespace
}  // namespace mekiki
