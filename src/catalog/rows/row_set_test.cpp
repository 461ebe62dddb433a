#include "catalog/rows/row_set.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr const char* kGpuJson = R"([{
    "id": "toy-24", "vendor": "Toy", "name": "Toy 24", "architecture": "Play", "compute_capability": null,
    "form": "pcie", "class": "consumer", "memory_gb_marketed": 24, "memory_gib_reported": 23.5,
    "memory_type": "GDDR6", "memory_bandwidth_gb_per_s": 600, "ecc": "no", "peak_fp32_tflop_per_s": 30,
    "peak_tf32_tflop_per_s": null, "peak_bf16_tflop_per_s": 120, "peak_fp16_tflop_per_s": null,
    "peak_fp8_tflop_per_s": null, "peak_fp4_tflop_per_s": null, "sm_count": 72, "boost_clock_mhz": null, "l2_mb": null, "link": "none",
    "nvlink_generation": 0, "link_gb_per_s_both_directions": null, "link_max_group": "1", "pcie_generation": 4,
    "host_link": "pcie", "host_link_gb_per_s_both_directions": 64, "board_power_w": 150, "mig_max_instances": 0,
    "year": 2021, "status": "verified", "from_memory": "", "derived": "", "source": "TOY", "notes": ""}])";

constexpr const char* kList =
    "file,gpu_id,source,notes\n"
    "measured/gemm/toy-24.csv,toy-24,own,\n"
    "measured/attention/toy-24.csv,toy-24,own,\n"
    "measured/collectives/toy-24.csv,toy-24,own,\n";

std::vector<DataFile> with_table(const std::string& path, const std::string& text) {
  return {{path, text}, {"measured/files.csv", kList}, {"gpus/toy.json", kGpuJson}};
}

TEST(ReadRows, GemmRatesBecomeSharesOfThePeak) {
  const auto rows =
      read_rows(with_table("measured/gemm/toy-24.csv", "dtype,scaling,n,k,m128,m256\nbf16,plain,4096,1024,60,90\n"));
  ASSERT_TRUE(rows) << describe(rows.error());
  ASSERT_EQ(rows->gemm_surfaces.size(), 1u);
  const GemmSurface& surface = rows->gemm_surfaces[0];
  EXPECT_EQ(surface.source, "own");
  ASSERT_EQ(surface.columns.size(), 1u);
  EXPECT_FLOAT_EQ(surface.columns[0].log2_n, 12.0f);
  EXPECT_FLOAT_EQ(surface.columns[0].log2_k, 10.0f);
  ASSERT_EQ(surface.columns[0].points.size(), 2u);
  EXPECT_FLOAT_EQ(surface.columns[0].points[1].log2_m, 8.0f);
  EXPECT_FLOAT_EQ(surface.columns[0].points[1].efficiency, 0.75f);
}

TEST(ReadRows, AttentionPointsWithOneKeyAreAveraged) {
  const auto rows = read_rows(with_table("measured/attention/toy-24.csv",
                                         "head_dim,q_heads,kv_heads,sequence_length,batch,tflop_per_s\n"
                                         "128,8,8,1024,2,40\n128,16,16,1024,1,60\n128,16,2,1024,1,70\n"));
  ASSERT_TRUE(rows) << describe(rows.error());
  ASSERT_EQ(rows->attention_surfaces.size(), 2u);
  EXPECT_FALSE(rows->attention_surfaces[0].grouped);
  ASSERT_EQ(rows->attention_surfaces[0].points.size(), 1u);
  EXPECT_FLOAT_EQ(rows->attention_surfaces[0].points[0].tflop_per_second, 50.0f);
  EXPECT_FLOAT_EQ(rows->attention_surfaces[0].points[0].log2_batch_times_heads, 4.0f);
  EXPECT_TRUE(rows->attention_surfaces[1].grouped);
}

TEST(ReadRows, CurvesKeepTheLibraryOfTheFileFirst) {
  const auto rows = read_rows(with_table("measured/collectives/toy-24.csv",
                                         "library,collective,ranks,bytes,microseconds\n"
                                         "new,all_reduce,2,2048,16\nnew,all_reduce,2,1024,8\n"
                                         "a-old,all_reduce,2,1024,9\n"));
  ASSERT_TRUE(rows) << describe(rows.error());
  ASSERT_EQ(rows->collective_curves.size(), 2u);
  EXPECT_EQ(rows->collective_curves[0].library, "new");
  EXPECT_FLOAT_EQ(rows->collective_curves[0].points[0].log2_bytes, 10.0f);
  EXPECT_FLOAT_EQ(rows->collective_curves[0].points[0].log2_seconds, static_cast<float>(std::log2(8e-6)));
}

TEST(ReadRows, RefusesBrokenTables) {
  const struct {
    const char* name;
    const char* path;
    const char* text;
    const char* expected;
  } table[] = {
      {"format that the GPU lacks",
       "measured/gemm/toy-24.csv",
       "dtype,scaling,n,k,m128\nfp8,tensor,1,1,1\n",
       "measured/gemm/toy-24.csv:2:dtype: toy-24 has no peak in this format"},
      {"columns out of order",
       "measured/gemm/toy-24.csv",
       "dtype,scaling,n,k,m256,m128\n",
       "measured/gemm/toy-24.csv:1:m128: is no column of a GEMM table"},
      {"a shape twice",
       "measured/gemm/toy-24.csv",
       "dtype,scaling,n,k,m128\nbf16,plain,8,8,1\nbf16,plain,8,8,1\n",
       "measured/gemm/toy-24.csv:3:n: this shape is given twice"},
      {"zero rate",
       "measured/gemm/toy-24.csv",
       "dtype,scaling,n,k,m128\nbf16,plain,8,8,0\n",
       "measured/gemm/toy-24.csv:2:m128: \"0\" is not a positive number"},
      {"no source",
       "measured/gemm/other.csv",
       "dtype,scaling,n,k,m128\n",
       "measured/gemm/other.csv: is not listed in measured/files.csv"},
      {"unknown collective",
       "measured/collectives/toy-24.csv",
       "library,collective,ranks,bytes,microseconds\nx,all_hands,2,8,1\n",
       "measured/collectives/toy-24.csv:2:collective: \"all_hands\" is not known here"},
      {"a size twice",
       "measured/collectives/toy-24.csv",
       "library,collective,ranks,bytes,microseconds\nx,all_reduce,2,8,1\nx,all_reduce,2,8,1\n",
       "measured/collectives/toy-24.csv:3:bytes: this size is given twice"},
      {"missing column",
       "measured/attention/toy-24.csv",
       "head_dim,q_heads,kv_heads,sequence_length,batch,rate\n1,1,1,1,1,1\n",
       "measured/attention/toy-24.csv:2:tflop_per_s: this column is missing"},
      {"no list", "systems/x.json", "{}", "systems/x.json: is not a list of rows"},
  };
  for (const auto& row : table) {
    const auto rows = read_rows(with_table(row.path, row.text));
    ASSERT_FALSE(rows) << row.name;
    EXPECT_EQ(describe(rows.error()), row.expected) << row.name;
  }
}

TEST(ReadRows, OneIdTwiceIsAConflict) {
  const std::vector<DataFile> files = {{"gpus/a.json", kGpuJson}, {"gpus/b.json", kGpuJson}};
  const auto rows = read_rows(files);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::conflict);
  EXPECT_EQ(describe(rows.error()), "gpu: the id \"toy-24\" is given twice");
}

TEST(ReadRows, TheOrderOfFilesDoesNotMatter) {
  std::vector<DataFile> files = with_table("measured/gemm/toy-24.csv", "dtype,scaling,n,k,m128\nbf16,plain,8,8,1\n");
  const auto forward = read_rows(files);
  std::reverse(files.begin(), files.end());
  const auto backward = read_rows(files);
  ASSERT_TRUE(forward && backward);
  EXPECT_EQ(forward->gemm_surfaces.size(), backward->gemm_surfaces.size());
}

TEST(ReadRows, EveryPrefixOfAFileReadsOrReports) {
  const std::string text = kGpuJson;
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::vector<DataFile> files = {{"gpus/toy.json", text.substr(0, length)}};
    const auto rows = read_rows(files);
    ASSERT_FALSE(rows) << length;
    EXPECT_EQ(rows.error().code, ErrorCode::invalid_input) << length;
  }
}

}  // namespace
}  // namespace mekiki
