#include "inventory/inventory.h"

#include <algorithm>
#include <set>

#include "inventory/text_lines.h"

namespace mekiki {
namespace {

constexpr std::string_view kGpuFields =
    "--query-gpu=index,name,driver_version,memory.total,memory.used,ecc.mode.current,mig.mode.current,power.limit,"
    "compute_cap,pcie.link.gen.max,pcie.link.width.max";

// The versions of what trains: a program of one line, so that a missing torch is one failed command.
constexpr std::string_view kLibraries =
    "import torch; print('torch', torch.__version__); print('cuda', torch.version.cuda); "
    "print('nccl', '.'.join(map(str, torch.cuda.nccl.version())) if torch.cuda.is_available() else None)";

class InventoryReader {
 public:
  Inventory run(std::span<const InventoryText> texts) {
    for (const InventorySource& source : inventory_sources()) {
      const auto found =
          std::find_if(texts.begin(), texts.end(), [&](const InventoryText& text) { return text.part == source.part; });
      if (found != texts.end() && found->text) {
        read(source.part, *found->text);
      } else {
        unread(source.part, found == texts.end() ? "nothing was saved" : found->why_not);
      }
    }
    inventory_.kind = kind(texts);
    return std::move(inventory_);
  }

 private:
  void unread(InventoryPart part, std::string reason) { inventory_.unread.push_back({part, std::move(reason)}); }

  void read(InventoryPart part, const std::string& text) {
    HostReadings& host = inventory_.host;
    switch (part) {
      case InventoryPart::gpus:
        return read_gpus(text);
      case InventoryPart::cuda:
        inventory_.cuda = cuda_version_of(text);
        return inventory_.cuda ? void() : unread(part, "the banner names no CUDA version");
      case InventoryPart::topology:
        return read_matrix(text);
      case InventoryPart::nvlink:
        inventory_.nvlink = read_nvlink(text);
        return inventory_.nvlink.empty() ? unread(part, "no GPU is listed") : void();
      case InventoryPart::adapters:
        return read_adapters(text);
      case InventoryPart::processor:
        host = with_lscpu(std::move(host), text);
        return host.cpus ? void() : unread(part, "names no CPU(s)");
      case InventoryPart::memory:
        host = with_meminfo(std::move(host), text);
        return host.memory ? void() : unread(part, "names no MemTotal");
      case InventoryPart::memory_limit:
        host = with_memory_limit(std::move(host), text);
        return;
      case InventoryPart::cpu_limit:
        host = with_cpu_limit(std::move(host), text);
        return;
      case InventoryPart::storage:
        host = with_mounts(std::move(host), text);
        return host.mounts.empty() ? unread(part, "lists no device of the machine") : void();
      case InventoryPart::libraries:
        host = with_libraries(std::move(host), text);
        return host.torch.empty() ? unread(part, "names no torch") : void();
      case InventoryPart::amd:
        return read_amd(text);
    }
  }

  void read_gpus(const std::string& text) {
    GpuReadings readings = read_gpu_query(text);
    inventory_.gpus = std::move(readings.gpus);
    for (std::string& fault : readings.faults) {
      unread(InventoryPart::gpus, std::move(fault));
    }
    for (const GpuReading& gpu : inventory_.gpus) {
      inventory_.driver = gpu.driver.empty() ? inventory_.driver : gpu.driver;
    }
    if (inventory_.gpus.empty() && inventory_.unread.empty()) {
      unread(InventoryPart::gpus, "no GPU is listed");
    }
  }

  void read_matrix(const std::string& text) {
    Result<Topology> topology = read_topology(text, "topology");
    if (topology) {
      inventory_.topology = std::move(*topology);
    } else {
      unread(InventoryPart::topology, describe(topology.error()));
    }
  }

  void read_adapters(const std::string& text) {
    FabricReadings readings = read_ibstat(text);
    inventory_.ports = std::move(readings.ports);
    for (std::string& fault : readings.faults) {
      unread(InventoryPart::adapters, std::move(fault));
    }
    for (const FabricPort& port : inventory_.ports) {
      if (port.state.empty() || port.link_layer.empty()) {
        unread(InventoryPart::adapters, port.adapter + ": its entry is cut");
      }
    }
  }

  // rocm-smi lists "GPU[0]          : Card Series: ...": counted, and no more is claimed.
  void read_amd(const std::string& text) {
    std::set<std::string> gpus;
    for (const std::string& line : lines_of(text)) {
      if (line.starts_with("GPU[")) {
        gpus.insert(line.substr(0, line.find(']')));
      }
    }
    inventory_.amd_gpus = static_cast<std::int64_t>(gpus.size());
  }

  MachineKind kind(std::span<const InventoryText> texts) const {
    if (inventory_.gpu_count() > 0) {
      return MachineKind::nvidia;
    }
    if (inventory_.amd_gpus > 0) {
      return MachineKind::amd;
    }
    const bool asked = std::any_of(texts.begin(), texts.end(), [](const InventoryText& text) {
      return (text.part == InventoryPart::gpus || text.part == InventoryPart::amd) && text.text;
    });
    const bool told = std::any_of(
        texts.begin(), texts.end(), [](const InventoryText& text) { return text.part == InventoryPart::gpus; });
    return told && !asked ? MachineKind::cpu_only : MachineKind::unknown;
  }

  Inventory inventory_;
};

}  // namespace

const std::vector<InventorySource>& inventory_sources() {
  static const std::vector<InventorySource> sources = {
      {InventoryPart::gpus, "gpus.csv", {"nvidia-smi", std::string(kGpuFields), "--format=csv"}, {}},
      {InventoryPart::cuda, "nvidia-smi.txt", {"nvidia-smi"}, {}},
      {InventoryPart::topology, "topology.txt", {"nvidia-smi", "topo", "-m"}, {}},
      {InventoryPart::nvlink, "nvlink.txt", {"nvidia-smi", "nvlink", "-s"}, {}},
      {InventoryPart::adapters, "ibstat.txt", {"ibstat"}, {}},
      {InventoryPart::processor, "lscpu.txt", {"lscpu"}, {}},
      {InventoryPart::memory, "meminfo.txt", {}, "/proc/meminfo"},
      {InventoryPart::memory_limit, "memory.max.txt", {}, "/sys/fs/cgroup/memory.max"},
      {InventoryPart::cpu_limit, "cpu.max.txt", {}, "/sys/fs/cgroup/cpu.max"},
      {InventoryPart::storage, "df.txt", {"df", "-P", "-B1"}, {}},
      {InventoryPart::libraries, "libraries.txt", {"python3", "-c", std::string(kLibraries)}, {}},
      {InventoryPart::amd, "rocm-smi.txt", {"rocm-smi", "--showproductname"}, {}},
  };
  return sources;
}

std::int64_t Inventory::gpu_count() const {
  const std::size_t in_matrix = topology ? topology->gpus() : 0;
  return static_cast<std::int64_t>(std::max({gpus.size(), in_matrix, nvlink.size()}));
}

Inventory read_inventory(std::span<const InventoryText> texts) {
  return InventoryReader().run(texts);
}

}  // namespace mekiki
