#include "catalog/rows/row_reader.h"

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "base/json.h"

namespace mekiki {
namespace {

using nlohmann::json;

json good_gpu() {
  return parse_json(R"({
    "id": "toy-24", "vendor": "Toy", "name": "Toy 24", "architecture": "Play", "compute_capability": null,
    "form": "pcie", "class": "consumer", "memory_gb_marketed": 24, "memory_gib_reported": 23.5,
    "memory_type": "GDDR6", "memory_bandwidth_gb_per_s": 600, "ecc": "no", "peak_fp32_tflop_per_s": 30,
    "peak_tf32_tflop_per_s": null, "peak_bf16_tflop_per_s": 120, "peak_fp16_tflop_per_s": null,
    "peak_fp8_tflop_per_s": null, "peak_fp4_tflop_per_s": null, "sm_count": 72, "boost_clock_mhz": null, "l2_mb": null, "link": "none",
    "nvlink_generation": 0, "link_gb_per_s_both_directions": null, "link_max_group": "1", "pcie_generation": 4,
    "host_link": "pcie", "host_link_gb_per_s_both_directions": 64, "board_power_w": 150, "mig_max_instances": 0,
    "year": 2021, "status": "verified", "from_memory": "", "derived": "", "source": "TOY", "notes": ""})",
                    "test")
      .value();
}

TEST(ReadJsonRow, ReadsUnitsChoicesAndUnknowns) {
  RowStorage storage;
  const Result<Gpu> gpu = read_json_row<Gpu>(good_gpu(), "gpus/toy.json:/0", storage);
  ASSERT_TRUE(gpu) << describe(gpu.error());
  EXPECT_EQ(gpu->id, "toy-24");
  EXPECT_DOUBLE_EQ(gpu->memory_marketed / kGB, 24.0);
  EXPECT_DOUBLE_EQ(gpu->memory_reported / kGiB, 23.5);
  EXPECT_EQ(gpu->gpu_class, GpuClass::consumer);
  EXPECT_EQ(gpu->peaks.tf32, std::nullopt);
  EXPECT_DOUBLE_EQ(*gpu->peaks.bf16 / kTflopPerSecond, 120.0);
  EXPECT_EQ(gpu->sm_count, 72);
  EXPECT_EQ(gpu->compute_capability, std::nullopt);
}

struct Refusal {
  const char* name;
  std::function<void(json&)> change;
  const char* expected;
};

TEST(ReadJsonRow, RefusesWithTheFieldsPath) {
  const std::vector<Refusal> table = {
      {"missing key", [](json& row) { row.erase("ecc"); }, "gpus/toy.json:/0: the key \"ecc\" is missing"},
      {"unknown key",
       [](json& row) { row["colour"] = "red"; },
       "gpus/toy.json:/0/colour: is no key of this kind of row"},
      {"a slip is told as the unknown key, not as the missing one",
       [](json& row) {
         row["memory_gib"] = row["memory_gib_reported"];
         row.erase("memory_gib_reported");
       },
       "gpus/toy.json:/0/memory_gib: is no key of this kind of row"},
      {"text for a number",
       [](json& row) { row["memory_gb_marketed"] = "24"; },
       "gpus/toy.json:/0/memory_gb_marketed: is not a number"},
      {"null for a number that must be known",
       [](json& row) { row["memory_gib_reported"] = nullptr; },
       "gpus/toy.json:/0/memory_gib_reported: is missing a number"},
      {"negative",
       [](json& row) { row["memory_bandwidth_gb_per_s"] = -600; },
       "gpus/toy.json:/0/memory_bandwidth_gb_per_s: -600 is outside 1 to 1000000"},
      {"bytes for gigabytes",
       [](json& row) { row["memory_gb_marketed"] = 24e9; },
       "gpus/toy.json:/0/memory_gb_marketed: 24000000000 is outside 0.5 to 4096"},
      {"beyond 64 bits",
       [](json& row) { row["sm_count"] = 1e30; },
       "gpus/toy.json:/0/sm_count: 1e+30 is outside 1 to 10000"},
      {"fraction of a count",
       [](json& row) { row["sm_count"] = 72.5; },
       "gpus/toy.json:/0/sm_count: 72.5 is not a whole number"},
      {"unknown choice",
       [](json& row) { row["form"] = "pci"; },
       "gpus/toy.json:/0/form: \"pci\" is not one of pcie, sxm, nvl, oam, workstation, superchip"},
      {"number for a text", [](json& row) { row["name"] = 7; }, "gpus/toy.json:/0/name: is not a text"},
      {"empty required text", [](json& row) { row["source"] = ""; }, "gpus/toy.json:/0/source: is empty"},
      {"no object", [](json& row) { row = 3; }, "gpus/toy.json:/0: is not an object"},
  };
  for (const Refusal& refusal : table) {
    json row = good_gpu();
    refusal.change(row);
    RowStorage storage;
    const Result<Gpu> gpu = read_json_row<Gpu>(row, "gpus/toy.json:/0", storage);
    ASSERT_FALSE(gpu) << refusal.name;
    EXPECT_EQ(gpu.error().code, ErrorCode::invalid_input) << refusal.name;
    EXPECT_EQ(describe(gpu.error()), refusal.expected) << refusal.name;
  }
}

TEST(ReadJsonRow, SaysWhatWasLikelyMeant) {
  json row = good_gpu();
  row["memory_gib_report"] = 1;
  RowStorage storage;
  EXPECT_EQ(read_json_row<Gpu>(row, "x", storage).error().hint.substr(0, 33), "did you mean memory_gib_reported?");
}

TEST(ReadJsonRow, ReadsListsAndPointsIntoThem) {
  const json row = parse_json(R"({"id": "s", "provider": "p", "instance": "i", "gpu_id": "g", "gpus": 4, "gpus_max": 4,
      "links": [{"kind": "nvlink_bridge", "group_size": 2, "gb_per_s": null},
                {"kind": "pcie", "group_size": 4, "gb_per_s": 12.5}],
      "link_domain": 2, "vcpus": null, "host_memory_gib": null, "local_nvme_tb": null, "network_gbit_per_s": 80,
      "network_gb_per_s_per_gpu": 2.5, "rdma": "none", "gpudirect": "no", "max_cluster_note": "", "status": "verified",
      "from_memory": "", "source": "S", "notes": ""})",
                              "t")
                       .value();
  RowStorage storage;
  const Result<System> system = read_json_row<System>(row, "s.json:/0", storage);
  ASSERT_TRUE(system) << describe(system.error());
  ASSERT_EQ(system->links.size(), 2u);
  EXPECT_EQ(link_for_group(*system, 2).kind, LinkKind::nvlink_bridge);
  EXPECT_EQ(link_for_group(*system, 3).kind, LinkKind::pcie);
  EXPECT_DOUBLE_EQ(*system->links[1].bandwidth_per_gpu / kGBPerSecond, 12.5);
  EXPECT_DOUBLE_EQ(*system->network_per_node / kGBPerSecond, 10.0);

  json bad = row;
  bad["links"][1]["kind"] = "pci";
  EXPECT_EQ(read_json_row<System>(bad, "s.json:/0", storage).error().subject, "s.json:/0/links/1/kind");
  bad["links"] = "pcie";
  EXPECT_EQ(read_json_row<System>(bad, "s.json:/0", storage).error().subject, "s.json:/0/links");
}

TEST(ReadCsvRow, ReadsByColumnName) {
  const CsvTable table = parse_csv("gpu_id,where,alias\ng,shop,\"A, B\"\n", "t").value();
  RowStorage storage;
  const Result<GpuAlias> alias = read_csv_row<GpuAlias>(table, table.rows[0], "a.csv", storage);
  ASSERT_TRUE(alias);
  EXPECT_EQ(alias->alias, "A, B");
  EXPECT_EQ(alias->where, "shop");
}

TEST(ReadCsvRow, RefusesWithLineAndColumn) {
  const auto error_of = [](const char* text) {
    const CsvTable table = parse_csv(text, "t").value();
    RowStorage storage;
    return describe(read_csv_row<PriceGpu>(table, table.rows[0], "p.csv", storage).error());
  };
  EXPECT_EQ(error_of("price_gpu_id,sku\nx,\n"), "p.csv:2: the key \"gpu_id\" is missing");
  EXPECT_EQ(error_of("price_gpu_id,sku,gpu_id,candidates,reason,note\nx,,,,,\n"),
            "p.csv:2:note: is no key of this kind of row");
  EXPECT_EQ(error_of("price_gpu_id,sku,gpu_id,candidates,reason\n,,,,\n"), "p.csv:2:price_gpu_id: is empty");
}

TEST(RowStorage, KeepsEqualTextsOnceAndSurvivesMoves) {
  RowStorage storage;
  const Name a = storage.keep("a text that is too long for the small string of the standard library");
  const Name b = storage.keep(std::string(a));
  EXPECT_EQ(a.data(), b.data());
  const Name small = storage.keep("small");
  const RowStorage moved = std::move(storage);
  EXPECT_EQ(small, "small");
  EXPECT_EQ(a.substr(0, 6), "a text");
}

}  // namespace
}  // namespace mekiki
