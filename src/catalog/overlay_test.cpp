#include "catalog/overlay.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/repository_data.h"

namespace mekiki {
namespace {

constexpr const char* kPriceHeader =
    "id,provider,sku,gpu_id,gpus,region,kind,tenancy,price_per_hour,currency,as_of,valid_from,valid_to,"
    "billing_increment_s,minimum_s,commitment_s,upfront_share,minimum_units,waiting_s,includes_host,doubt,source,"
    "notes\n";

std::shared_ptr<const Catalog> laid_over(const std::vector<DataFile>& files) {
  const auto result = overlay(bundled_catalog(), files);
  EXPECT_TRUE(result) << describe(result.error());
  return result.value_or(nullptr);
}

// The repository's row of this GPU as JSON, with one change.
std::string gpu_row(std::string_view id, std::string_view key, std::string_view from, std::string_view to) {
  for (const DataFile& file : repository_data_files()) {
    const std::size_t at =
        file.path.starts_with("gpus/") ? file.text.find("\"id\": \"" + std::string(id) + "\"") : std::string::npos;
    if (at == std::string::npos) {
      continue;
    }
    const std::size_t begin = file.text.rfind('{', at);
    std::string row = file.text.substr(begin, file.text.find('}', at) - begin + 1);
    const std::string before = "\"" + std::string(key) + "\": " + std::string(from);
    EXPECT_NE(row.find(before), std::string::npos) << before;
    row.replace(row.find(before), before.size(), "\"" + std::string(key) + "\": " + std::string(to));
    return "[" + row + "]";
  }
  return {};
}

TEST(Overlay, NothingChangesNothing) {
  const auto same = laid_over({});
  EXPECT_EQ(same->digest, bundled_catalog().digest);
  EXPECT_EQ(same->gpus.size(), bundled_catalog().gpus.size());
  EXPECT_EQ(same->documents.size(), bundled_catalog().documents.size());
}

TEST(Overlay, TheRepositorysOwnFilesChangeNothing) {
  std::vector<DataFile> rows = repository_data_files();
  std::erase_if(rows, [](const DataFile& file) {
    return data_kind(file.path).value_or(DataKind::document) == DataKind::document;
  });
  ASSERT_GT(rows.size(), 40u);
  EXPECT_EQ(laid_over(rows)->digest, bundled_catalog().digest);
}

TEST(Overlay, ARowReplacesTheOneWithItsId) {
  const auto changed = laid_over({{"gpus/mine.json", gpu_row("l40s", "memory_gib_reported", "44.99", "47.5")}});
  EXPECT_EQ(changed->gpus.size(), bundled_catalog().gpus.size());
  EXPECT_DOUBLE_EQ((*find_gpu(*changed, "NVIDIA L40S"))->memory_reported / kGiB, 47.5);
  EXPECT_DOUBLE_EQ((*find_gpu(bundled_catalog(), "l40s"))->memory_reported / kGiB, 44.99);
  EXPECT_NE(changed->digest, bundled_catalog().digest);
}

TEST(Overlay, ANewIdIsAdded) {
  const auto more = laid_over({{"gpus/mine.json", gpu_row("l40s", "id", "\"l40s\"", "\"l40s-modded\"")},
                               {"gpus/aliases.csv", "alias,gpu_id,where\nMy Card,l40s-modded,me\n"}});
  EXPECT_EQ(more->gpus.size(), bundled_catalog().gpus.size() + 1);
  EXPECT_EQ((*find_gpu(*more, "my card"))->id, "l40s-modded");
}

TEST(Overlay, ANewPeakKeepsTheMeasuredRate) {
  const auto changed = laid_over({{"gpus/mine.json", gpu_row("l40s", "peak_bf16_tflop_per_s", "362.05", "181.025")}});
  const GemmPoint before = gemm_surface(bundled_catalog(), "l40s", Dtype::bf16)->columns[5].points[4];
  const GemmPoint after = gemm_surface(*changed, "l40s", Dtype::bf16)->columns[5].points[4];
  EXPECT_FLOAT_EQ(after.efficiency, 2.0f * before.efficiency);
  EXPECT_FLOAT_EQ(gemm_surface(*changed, "l40s", Dtype::fp8)->columns[5].points[4].efficiency,
                  gemm_surface(bundled_catalog(), "l40s", Dtype::fp8)->columns[5].points[4].efficiency);
}

TEST(Overlay, PricesAndMeasuredTablesAreAdded) {
  const auto more = laid_over({
      {"prices/prices.csv",
       std::string(kPriceHeader) +
           "quote-1,aws,p5.48xlarge,h100-sxm-80,8,,reserved,unknown,40,USD,2026-11-01,,,,,,,,,yes,,letter,\n"},
      {"measured/files.csv", "file,gpu_id,source,notes\nmeasured/collectives/mine.csv,h100-sxm5-80,own,\n"},
      {"measured/collectives/mine.csv",
       "library,collective,ranks,bytes,microseconds\nmine,all_reduce,8,1024,10\nmine,all_reduce,8,2048,11\n"},
  });
  EXPECT_EQ(more->prices.size(), bundled_catalog().prices.size() + 1);
  EXPECT_EQ(more->prices.back().id, "quote-1");
  EXPECT_EQ(collective_curve(*more, "h100-sxm5-80", Collective::all_reduce, 8)->library, "mine");
  EXPECT_EQ(collective_curves(*more, "h100-sxm5-80").size(),
            collective_curves(bundled_catalog(), "h100-sxm5-80").size() + 1);
}

TEST(Overlay, DocumentsReplaceByPath) {
  const auto changed = laid_over({{"reference/reliability.csv", "\xEF\xBB\xBFmetric\n"}, {"models/my-own.json", "{}"}});
  EXPECT_EQ(find_document(*changed, "data/reference/reliability.csv"), "metric\n");
  EXPECT_EQ(find_document(*changed, "data/models/my-own.json"), "{}");
  EXPECT_EQ(changed->documents.size(), bundled_catalog().documents.size() + 1);
}

TEST(Overlay, TheResultOwnsItsTexts) {
  std::shared_ptr<const Catalog> catalog;
  {
    std::vector<DataFile> files = {{"gpus/aliases.csv", "alias,gpu_id,where\nA name of some length,l40s,me\n"}};
    catalog = laid_over(files);
    files[0].text.assign(files[0].text.size(), 'x');
  }
  EXPECT_EQ((*find_gpu(*catalog, "A name of some length"))->id, "l40s");
}

TEST(Overlay, RefusesWhatDoesNotHoldTogether) {
  const struct {
    const char* name;
    DataFile file;
    const char* expected;
  } table[] = {
      {"alias of nothing",
       {"gpus/aliases.csv", "alias,gpu_id,where\nx,nothing,me\n"},
       "x: there is no gpu \"nothing\""},
      {"price of an unknown provider",
       {"prices/prices.csv",
        std::string(kPriceHeader) +
            "q,nobody,,h100-sxm-80,8,,reserved,unknown,40,USD,2026-11-01,,,,,,,,,yes,,letter,\n"},
       "q: there is no provider \"nobody\""},
      {"price of an unknown name",
       {"prices/prices.csv",
        std::string(kPriceHeader) + "q,aws,,h1000,8,,reserved,unknown,40,USD,2026-11-01,,,,,,,,,yes,,letter,\n"},
       "q: there is no price_gpu (prices/gpu_ids.csv) \"h1000\""},
      {"undated price",
       {"prices/prices.csv",
        std::string(kPriceHeader) + "q,aws,,h100-80,8,,reserved,unknown,40,USD,,,,,,,,,,yes,,letter,\n"},
       "prices/prices.csv:2:as_of: \"\" is no date"},
      {"free price",
       {"prices/prices.csv",
        std::string(kPriceHeader) + "q,aws,,h100-80,8,,reserved,unknown,0,USD,2026-11-01,,,,,,,,,yes,,letter,\n"},
       "prices/prices.csv:2:price_per_hour: 0 is outside 0.001 to 1000000"},
      {"slip in a folder", {"gpu/mine.json", "[]"}, "gpu/mine.json: no kind of data is kept under this path"},
  };
  for (const auto& row : table) {
    const auto result = overlay(bundled_catalog(), {&row.file, 1});
    ASSERT_FALSE(result) << row.name;
    EXPECT_EQ(describe(result.error()), row.expected) << row.name;
  }
}

}  // namespace
}  // namespace mekiki
