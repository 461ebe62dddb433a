#include "inventory/inventory.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "inventory/match.h"

namespace mekiki {
namespace {

std::optional<std::string> file_text(const std::string& name) {
  std::ifstream stream(std::string(MEKIKI_SOURCE_DIR) + "/tests/data/" + name, std::ios::binary);
  if (!stream) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

Inventory machine(const std::string& name) {
  std::vector<InventoryText> texts;
  for (const InventorySource& source : inventory_sources()) {
    texts.push_back({source.part, file_text("here/" + name + "/" + std::string(source.saved)), "nothing was saved"});
  }
  return read_inventory(texts);
}

bool is_unread(const Inventory& inventory, InventoryPart part) {
  return std::any_of(
      inventory.unread.begin(), inventory.unread.end(), [&](const UnreadPart& unread) { return unread.part == part; });
}

std::string links_of(const MachineMatch& match) {
  std::string text;
  for (const LinkLevel& level : match.links) {
    text += std::string(enum_name(level.kind)) + " " + std::to_string(level.group_size) + "; ";
  }
  return text;
}

std::string differences_of(const MachineMatch& match) {
  std::string text;
  for (const Difference& difference : match.differences) {
    text += std::string(enum_name(difference.key)) + " ";
  }
  return text;
}

TEST(Topology, EveryMatrixIsRead) {
  const struct {
    const char* file;
    std::size_t devices, gpus;
  } table[] = {{"a100_4gpu_nv4_numa_range", 8, 4},
               {"a100_pcie_8gpu_bridged_pairs_tabs", 10, 8},
               {"bonded_nic_name", 4, 2},
               {"dgx2_v100_16gpu", 26, 16},
               {"dgx_a100_8gpu_12nic_tabs", 20, 8},
               {"h100_4gpu_nv6_comma_affinity", 8, 4},
               {"hgx_gpus_all_sys", 18, 8},
               {"hgx_h100_8gpu_10nic_spaces", 18, 8},
               {"hgx_h100_8gpu_10nic_tabs", 18, 8},
               {"hgx_h100_header_trimmed", 18, 8},
               {"l40s_8gpu_no_nvlink", 10, 8},
               {"single_gpu", 1, 1},
               {"v100_4gpu_2018_mlx_column", 5, 4},
               {"vm_all_phb", 9, 8}};
  for (const auto& row : table) {
    const auto topology = read_topology(*file_text("topology/" + std::string(row.file) + ".txt"), row.file);
    ASSERT_TRUE(topology) << row.file << " " << describe(topology.error());
    EXPECT_EQ(topology->devices.size(), row.devices) << row.file;
    EXPECT_EQ(topology->gpus(), row.gpus) << row.file;
  }
}

TEST(Topology, FormsOfOneMatrixAreOne) {
  const auto tabs = read_topology(*file_text("topology/hgx_h100_8gpu_10nic_tabs.txt"), "a");
  const auto blanks = read_topology(*file_text("topology/hgx_h100_8gpu_10nic_spaces.txt"), "b");
  ASSERT_TRUE(tabs && blanks);
  for (std::size_t i = 0; i < tabs->devices.size(); ++i) {
    for (std::size_t j = 0; j < tabs->devices.size(); ++j) {
      EXPECT_EQ(tabs->paths[i][j].kind, blanks->paths[i][j].kind);
    }
  }
  EXPECT_EQ(tabs->devices[8], "mlx5_0");
  EXPECT_EQ(tabs->paths[0][1].links, 18);
}

TEST(Topology, RefusesWhatIsCutOrContradictsItself) {
  const struct {
    const char* text;
    const char* expected;
  } table[] = {
      {"", "t:1: holds no matrix of devices"},
      {"\tGPU0\tGPU1\nGPU0\tX\tNV4\n", "t:3: the row of GPU1 is cut"},
      {"\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\n", "t:3: the row of GPU1 is cut"},
      {"\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tSYS\tX\n", "t:1: GPU1 and GPU0 see each other differently"},
      {"\tGPU0\nGPU0\tSYS\n", "t:1: the diagonal of the matrix is not X"},
      {"\tGPU0\tGPU1\nGPU0\tX\tFOO\nGPU1\tFOO\tX\n", "t:2: \"FOO\" is no path between devices"},
  };
  for (const auto& row : table) {
    const auto topology = read_topology(row.text, "t");
    ASSERT_FALSE(topology) << row.text;
    EXPECT_EQ(describe(topology.error()), row.expected);
  }
  const std::string whole = *file_text("topology/dgx_a100_8gpu_12nic_tabs.txt");
  const std::size_t legend = whole.find("Legend");
  for (std::size_t length = 0; length < legend; length += 7) {
    const auto topology = read_topology(whole.substr(0, length), "t");
    EXPECT_TRUE(topology || !topology.error().message.empty()) << length;
  }
}

TEST(Inventory, SilentFieldsStayUnknown) {
  const GpuReadings readings = read_gpu_query(
      "index, name, memory.total [MiB], power.limit [W], mig.mode.current\n"
      "0, Tesla K80, 11441 MiB, [Not Supported], [N/A]\n"
      "1, [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost]\n"
      "Unable to determine the device handle for GPU0000:9A:00.0: Unknown Error\n");
  ASSERT_EQ(readings.gpus.size(), 2u);
  EXPECT_FALSE(readings.gpus[0].power_limit_w || readings.gpus[0].mig);
  EXPECT_TRUE(readings.gpus[1].name.empty());
  EXPECT_FALSE(readings.gpus[1].memory_total);
  EXPECT_EQ(readings.faults.size(), 1u);
}

TEST(Inventory, KindsOfMachines) {
  const struct {
    const char* folder;
    MachineKind kind;
    std::int64_t gpus;
  } table[] = {{"hgx_h100", MachineKind::nvidia, 8},
               {"unknown_driver", MachineKind::unknown, 0},
               {"gpu_lost", MachineKind::nvidia, 2},
               {"amd", MachineKind::amd, 0},
               {"cut_output", MachineKind::nvidia, 8},
               {"no such folder", MachineKind::cpu_only, 0}};
  for (const auto& row : table) {
    const Inventory inventory = machine(row.folder);
    EXPECT_EQ(inventory.kind, row.kind) << row.folder;
    EXPECT_EQ(inventory.gpu_count(), row.gpus) << row.folder;
  }
}

TEST(Inventory, WhatIsCutIsUnknown) {
  const Inventory inventory = machine("cut_output");
  EXPECT_FALSE(inventory.topology);
  EXPECT_TRUE(is_unread(inventory, InventoryPart::topology));
  EXPECT_TRUE(is_unread(inventory, InventoryPart::adapters));
  EXPECT_EQ(inventory.ports.size(), 1u);
  const MachineMatch match = match_machine(inventory, bundled_catalog());
  EXPECT_NE(differences_of(match).find("links"), std::string::npos);
}

TEST(Match, NamesTheNearestSystemAndItsDifferences) {
  const struct {
    const char* folder;
    const char* gpu;
    const char* links;
    const char* nearest;
  } table[] = {
      {"hgx_h100", "h100-sxm5-80", "nvswitch 8; ", "dgx-h100"},
      {"pcie_l40s", "l40s", "pcie 8; ", "aws-g6e-48xlarge"},
      {"bridged_a100", "a100-pcie-80", "nvlink_bridge 2; pcie 8; ", "hyperstack-a100-pcie-80-nvlink-8"},
      {"nvl_pair", "h100-nvl-94", "nvlink_bridge 2; ", "azure-nc80adis-h100-v5"},
      {"broken_nvlink", "v100-sxm2-32", "nvlink_mesh 4; ", ""},
      {"nvlink_down", "h100-sxm5-80", "pcie 8; ", "dgx-h100"},
      {"mig_on", "a100-sxm4-40", "nvlink_mesh 4; ", ""},
  };
  for (const auto& row : table) {
    const MachineMatch match = match_machine(machine(row.folder), bundled_catalog());
    ASSERT_EQ(match.gpus.size(), 1u) << row.folder;
    EXPECT_EQ(match.gpus[0]->id, row.gpu) << row.folder;
    EXPECT_EQ(links_of(match), row.links) << row.folder;
    ASSERT_NE(match.nearest, nullptr) << row.folder;
    if (*row.nearest != '\0') {
      EXPECT_EQ(match.nearest->id, row.nearest) << row.folder;
    }
  }
}

TEST(Match, InactiveLinksAreToldAndTakenOffTheBandwidth) {
  const MachineMatch match = match_machine(machine("broken_nvlink"), bundled_catalog());
  EXPECT_NE(differences_of(match).find("inactive_links"), std::string::npos);
  ASSERT_FALSE(match.links.empty());
  ASSERT_TRUE(match.links[0].bandwidth_per_gpu);
  // Four of six links of the worst GPU: two thirds of the GPU's own figure, one direction.
  EXPECT_NEAR(*match.links[0].bandwidth_per_gpu / *match.gpus[0]->nvlink_bandwidth, 2.0 / 3.0 / 2.0, 1e-9);
  EXPECT_NE(differences_of(match_machine(machine("nvlink_down"), bundled_catalog())).find("inactive_links"),
            std::string::npos);
}

TEST(WithMachine, EachReadingOverridesTheCatalogue) {
  const auto here = with_machine(bundled_catalog(), machine("pcie_l40s"));
  ASSERT_TRUE(here) << describe(here.error());
  const auto system = find_system((*here)->catalog, "here");
  ASSERT_TRUE(system);
  EXPECT_EQ((*system)->gpus, 8);
  EXPECT_DOUBLE_EQ(*(*system)->host_memory / kGiB, 128.0);  // the limit of the container
  EXPECT_NE((*here)->catalog.digest, bundled_catalog().digest);
  Inventory smaller = machine("consumer");
  smaller.gpus[1].memory_total = 20000.0 * kMiB;
  const auto other = with_machine(bundled_catalog(), smaller);
  ASSERT_TRUE(other);
  EXPECT_DOUBLE_EQ((*find_gpu((*other)->catalog, "rtx4090"))->memory_reported / kMiB, 20000.0);
}

TEST(WithMachine, RefusesWhatItCannotPlanWith) {
  const struct {
    const char* folder;
    ErrorCode code;
  } table[] = {{"mig_on", ErrorCode::unsupported},
               {"amd", ErrorCode::unsupported},
               {"unknown_gpu", ErrorCode::unsupported},
               {"unknown_driver", ErrorCode::environment},
               {"no such folder", ErrorCode::environment}};
  for (const auto& row : table) {
    const auto here = with_machine(bundled_catalog(), machine(row.folder));
    ASSERT_FALSE(here) << row.folder;
    EXPECT_EQ(here.error().code, row.code) << row.folder;
    EXPECT_FALSE(here.error().hint.empty()) << row.folder;
  }
}

}  // namespace
}  // namespace mekiki
