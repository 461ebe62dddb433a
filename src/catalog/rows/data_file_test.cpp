#include "catalog/rows/data_file.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(DataKind, FollowsThePath) {
  const struct {
    const char* path;
    DataKind kind;
  } table[] = {
      {"gpus/nvidia.json", DataKind::gpus},
      {"gpus/aliases.csv", DataKind::gpu_aliases},
      {"systems/mine.json", DataKind::systems},
      {"sources.csv", DataKind::sources},
      {"prices/prices.csv", DataKind::prices},
      {"prices/prices-2027.csv", DataKind::prices},
      {"prices/quote.json", DataKind::prices},
      {"prices/gpu_ids.csv", DataKind::price_gpus},
      {"prices/storage.csv", DataKind::document},
      {"measured/files.csv", DataKind::measured_list},
      {"measured/gemm/x.csv", DataKind::gemm},
      {"measured/reference/x.csv", DataKind::ignored},
      {"models/deep/down/x.json", DataKind::document},
      {"profiles/p/time.json", DataKind::document},
      {"schema/gpu.schema.json", DataKind::ignored},
      {"README.md", DataKind::ignored},
  };
  for (const auto& row : table) {
    const Result<DataKind> kind = data_kind(row.path);
    ASSERT_TRUE(kind) << row.path;
    EXPECT_EQ(*kind, row.kind) << row.path;
  }
}

TEST(DataKind, AnUnknownPathIsAnErrorWithTheNearestFolder) {
  const Result<DataKind> kind = data_kind("gpu/mine.json");
  ASSERT_FALSE(kind);
  EXPECT_EQ(kind.error().code, ErrorCode::not_found);
  EXPECT_EQ(kind.error().subject, "gpu/mine.json");
  EXPECT_EQ(kind.error().hint, "did you mean gpus?");
  EXPECT_FALSE(data_kind("gpus/mine.yaml"));
  EXPECT_FALSE(data_kind("measured/gem/x.csv"));
}

}  // namespace
}  // namespace mekiki
