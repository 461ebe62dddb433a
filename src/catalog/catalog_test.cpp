#include "catalog/catalog.h"

#include <string>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

std::string id_of(const Result<const Gpu*>& found) {
  return found ? std::string((*found)->id) : describe(found.error());
}

TEST(FindGpu, ByIdNameAndAlias) {
  const struct {
    const char* text;
    const char* id;
    const char* source;
  } table[] = {
      {"h100-sxm5-80", "h100-sxm5-80", "id"},
      {"H100-SXM5-80", "h100-sxm5-80", "case"},
      {"NVIDIA H100 80GB HBM3", "h100-sxm5-80", "nvidia-smi"},
      {"NVIDIA H100 PCIe", "h100-pcie-80", "nvidia-smi"},
      {"NVIDIA H100 NVL", "h100-nvl-94", "nvidia-smi"},
      {"NVIDIA H200", "h200-sxm5-141", "nvidia-smi prints no form for the SXM part"},
      {"NVIDIA A100-SXM4-80GB", "a100-sxm4-80", "nvidia-smi"},
      {"NVIDIA A100 80GB PCIe", "a100-pcie-80", "nvidia-smi"},
      {"NVIDIA A100-PCIE-40GB", "a100-pcie-40", "nvidia-smi"},
      {"NVIDIA GH200 480GB", "gh200-96", "480 GB is the memory of the CPU"},
      {"NVIDIA L4", "l4", "whole text: not L40S"},
      {"l40s", "l40s", "id"},
      {"NVIDIA GeForce RTX 4090", "rtx4090", "nvidia-smi"},
      {"RTX PRO 6000 Blackwell Server Edition", "rtxpro6000-server", "name"},
      {"2330", "h100-sxm5-80", "PCI device id"},
      {"BM.GPU.B4.8", "a100-sxm4-40", "an A100 shape, not Blackwell"},
      {"NVIDIA RTX 6000 Ada Gene...", "rtx6000ada", "cut by nvidia-smi, still one product"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(id_of(find_gpu(bundled_catalog(), row.text)), row.id) << row.text << ": " << row.source;
  }
}

TEST(FindGpu, AnAmbiguousNameIsAConflictWithItsCandidates) {
  const struct {
    const char* text;
    const char* message;
  } table[] = {
      {"H100", "gpu: \"H100\" may be h100-sxm5-80, h100-pcie-80"},
      {"A100-80GB", "gpu: \"A100-80GB\" may be a100-sxm4-80, a100-pcie-80"},
      {"RTXPRO6000", "gpu: \"RTXPRO6000\" may be rtxpro6000-ws, rtxpro6000-server"},
      {"NVIDIA GeForce ...", "gpu: \"NVIDIA GeForce ...\" may be rtx3090, rtx4090, rtx5090, rtx5060ti-16"},
  };
  for (const auto& row : table) {
    const auto found = find_gpu(bundled_catalog(), row.text);
    ASSERT_FALSE(found) << row.text;
    EXPECT_EQ(found.error().code, ErrorCode::conflict);
    EXPECT_EQ(describe(found.error()), row.message);
  }
}

TEST(FindGpu, AnUnknownNameIsNotFoundWithNearOnes) {
  const auto found = find_gpu(bundled_catalog(), "rtx4900");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::not_found);
  EXPECT_NE(found.error().hint.find("rtx4090"), std::string::npos) << found.error().hint;
  for (const char* text : {"", "...", "H", "NVIDIA", "H100 SXM 80GB of my friend"}) {
    const auto none = find_gpu(bundled_catalog(), text);
    ASSERT_FALSE(none) << text;
    EXPECT_EQ(none.error().code, ErrorCode::not_found) << text;
  }
}

TEST(FindSystem, ByIdAndInstance) {
  EXPECT_EQ((*find_system(bundled_catalog(), "aws-p5-48xlarge"))->instance, "p5.48xlarge");
  EXPECT_EQ((*find_system(bundled_catalog(), "P5.48XLARGE"))->id, "aws-p5-48xlarge");
  const auto none = find_system(bundled_catalog(), "p5.48xlrage");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().hint.find("p5.48xlarge"), std::string::npos) << none.error().hint;
}

TEST(FindProvider, KnowsTheNamesOfPriceBooks) {
  for (const char* text : {"oci", "OCI", "Oracle", "Oracle Cloud"}) {
    EXPECT_EQ((*find_provider(bundled_catalog(), text))->id, "oci") << text;
  }
  EXPECT_EQ((*find_provider(bundled_catalog(), "Verda (ex-DataCrunch)"))->id, "verda");
  EXPECT_FALSE(find_provider(bundled_catalog(), "Oracel Cloud"));
}

TEST(SystemsWithGpu, ListsNoPods) {
  const auto systems = systems_with_gpu(bundled_catalog(), "h100-nvl-94");
  ASSERT_EQ(systems.size(), 2u);
  EXPECT_EQ(systems[0]->id, "azure-nc40ads-h100-v5");
  EXPECT_EQ(systems[1]->id, "azure-nc80adis-h100-v5");
  EXPECT_TRUE(systems_with_gpu(bundled_catalog(), "*").front()->id == "runpod-pod-any");
}

TEST(Links, BridgedPairsOnATreeOfPcie) {
  const System& system = **find_system(bundled_catalog(), "azure-nc96ads-a100-v4");
  EXPECT_EQ(link_for_group(system, 2).kind, LinkKind::nvlink_bridge);
  EXPECT_EQ(link_for_group(system, 4).kind, LinkKind::pcie);
  EXPECT_EQ(system.link_domain, 2);
}

TEST(Links, ARackSharesItsLinkAcrossNodes) {
  const System& system = **find_system(bundled_catalog(), "gcp-a4x-highgpu-4g");
  EXPECT_EQ(system.gpus, 4);
  EXPECT_EQ(system.link_domain, 72);
}

TEST(MeasuredTables, AreFoundByGpuAndFormat) {
  const Catalog& catalog = bundled_catalog();
  const GemmSurface* bf16 = gemm_surface(catalog, "h100-sxm5-80", Dtype::bf16);
  ASSERT_NE(bf16, nullptr);
  EXPECT_EQ(bf16->columns.size(), 32u);
  EXPECT_EQ(gemm_surface(catalog, "h100-pcie-80", Dtype::bf16), nullptr);  // SXM figures are not lent to PCIe cards
  const GemmSurface* tensor = gemm_surface(catalog, "b200-sxm-180", Dtype::fp8);
  const GemmSurface* block = gemm_surface(catalog, "b200-sxm-180", Dtype::fp8, true);
  ASSERT_TRUE(tensor != nullptr && block != nullptr);
  EXPECT_FALSE(tensor->block_scaled);
  EXPECT_TRUE(block->block_scaled);
  EXPECT_NE(gemm_surface(catalog, "b200-sxm-180", Dtype::nvfp4), nullptr);
  EXPECT_EQ(attention_surfaces(catalog, "a100-sxm4-80").size(), 2u);  // head size 128, grouped or not
  EXPECT_EQ(attention_surfaces(catalog, "nothing").size(), 0u);
  const CollectiveCurve* curve = collective_curve(catalog, "h100-sxm5-80", Collective::all_reduce, 8);
  ASSERT_NE(curve, nullptr);
  EXPECT_EQ(curve->library, "nccl 2.29.2");
  EXPECT_EQ(curve->points.size(), 17u);
  EXPECT_EQ(collective_curve(catalog, "h100-sxm5-80", Collective::all_reduce, 7), nullptr);
}

TEST(Documents, AreFoundByPathAndPrefix) {
  const auto storage = embedded_document("data/prices/storage.csv");
  ASSERT_TRUE(storage);
  EXPECT_EQ(storage->substr(0, 9), "provider,");
  EXPECT_FALSE(embedded_document("data/prices/storage"));
  const auto prices = embedded_documents("data/prices/");
  ASSERT_EQ(prices.size(), 4u);
  EXPECT_EQ(prices[0].path, "data/prices/api_prices.csv");
  EXPECT_TRUE(embedded_documents("data/none/").empty());
}

TEST(Digest, HasSixteenDigits) {
  EXPECT_EQ(bundled_catalog().digest.size(), 16u);
  EXPECT_EQ(bundled_catalog().digest.find_first_not_of("0123456789abcdef"), std::string_view::npos);
}

}  // namespace
}  // namespace mekiki
