#include "inventory/match.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "catalog/catalog.h"
#include "catalog/rows/row_text.h"

namespace mekiki {
namespace {

// nvidia-smi writes the form into the name of a slice: "... MIG 3g.20gb".
std::string whole_gpu_name(const std::string& name) {
  return name.substr(0, name.find(" MIG "));
}

bool is_slice(const GpuReading& gpu) {
  return gpu.name.find(" MIG ") != std::string::npos;
}

bool has_mig(const Inventory& inventory) {
  return std::any_of(inventory.gpus.begin(), inventory.gpus.end(), [](const GpuReading& gpu) {
    return gpu.mig.value_or(false) || is_slice(gpu);
  });
}

std::int64_t lost(const Inventory& inventory) {
  const auto silent = std::count_if(
      inventory.gpus.begin(), inventory.gpus.end(), [](const GpuReading& gpu) { return gpu.name.empty(); });
  return silent + inventory.gpu_count() - static_cast<std::int64_t>(inventory.gpus.size());
}

std::set<std::string> names_of(const Inventory& inventory) {
  std::set<std::string> names;
  for (const GpuReading& gpu : inventory.gpus) {
    if (!gpu.name.empty()) {
      names.insert(whole_gpu_name(gpu.name));
    }
  }
  return names;
}

std::optional<Bytes> memory_of(const Inventory& inventory) {
  std::optional<Bytes> least;
  for (const GpuReading& gpu : inventory.gpus) {
    if (gpu.memory_total) {
      least = std::min(least.value_or(*gpu.memory_total), *gpu.memory_total);
    }
  }
  return least;
}

// Of several products of one name, those whose memory is what the driver shows.
std::vector<const Gpu*> products(const Inventory& inventory, const Catalog& catalog) {
  const std::set<std::string> names = names_of(inventory);
  std::vector<const Gpu*> gpus = names.size() == 1 ? gpus_named(catalog, *names.begin()) : std::vector<const Gpu*>{};
  const std::optional<Bytes> memory = memory_of(inventory);
  if (memory && gpus.size() > 1) {
    constexpr double kNear = 0.08;  // ECC takes a sixteenth
    std::vector<const Gpu*> near;
    std::copy_if(gpus.begin(), gpus.end(), std::back_inserter(near), [&](const Gpu* gpu) {
      return std::abs(*memory / gpu->memory_reported - 1.0) <= kNear;
    });
    gpus = near.empty() ? gpus : near;
  }
  return gpus;
}

LinkKind widest_fast_link(std::span<const LinkLevel> links) {
  return links.empty() ? LinkKind::none : links.front().kind;
}

const System* nearest_system(const Inventory& inventory,
                             const Catalog& catalog,
                             const std::vector<const Gpu*>& gpus,
                             const std::vector<LinkLevel>& links) {
  const auto distance = [&](const System& system) {
    const bool owned = std::any_of(catalog.providers.begin(), catalog.providers.end(), [&](const Provider& provider) {
      return provider.id == system.provider && provider.provider_class == ProviderClass::owned;
    });
    const bool other_link = widest_fast_link(system.links) != widest_fast_link(links);
    const double size = std::log2(static_cast<double>(system.gpus) / static_cast<double>(inventory.gpu_count()));
    return std::tuple(std::abs(size), other_link, !owned);
  };
  const System* nearest = nullptr;
  for (const System& system : catalog.systems) {
    const bool has_gpu =
        std::any_of(gpus.begin(), gpus.end(), [&](const Gpu* gpu) { return gpu->id == system.gpu_id; });
    if (has_gpu && (nearest == nullptr || distance(system) < distance(*nearest))) {
      nearest = &system;
    }
  }
  return nearest;
}

std::string levels_text(std::span<const LinkLevel> levels) {
  std::string text;
  for (const LinkLevel& level : levels) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", enum_name(level.kind), level.group_size);
  }
  return text;
}

struct Network {
  std::optional<BytesPerSecond> rate;  // of all ports that are up
  RdmaKind kind = RdmaKind::unknown;
};

// InfiniBand where there is some; Ethernet ports do not say whether they carry RDMA.
Network network_of(const Inventory& inventory) {
  Network network;
  for (const char* layer : {"InfiniBand", "Ethernet"}) {
    for (const FabricPort& port : inventory.ports) {
      if (port.is_up() && port.rate && port.link_layer == layer) {
        network.rate = network.rate.value_or(BytesPerSecond{}) + *port.rate;
        network.kind = port.link_layer == "InfiniBand" ? RdmaKind::infiniband : RdmaKind::unknown;
      }
    }
    if (network.rate) {
      return network;
    }
  }
  return network;
}

std::optional<Bytes> usable_memory(const HostReadings& host) {
  return host.memory_limit && host.memory ? std::min(*host.memory_limit, *host.memory) : host.memory;
}

template <class T>
DifferenceValue value_of(const std::optional<T>& value) {
  return value ? DifferenceValue(*value) : DifferenceValue(std::monostate{});
}

class Comparison {
 public:
  Comparison(const Inventory& inventory, const MachineMatch& match, const LinksHere& links)
      : inventory_(inventory), match_(match), links_(links) {}

  std::vector<Difference> run() {
    faults();
    if (match_.gpus.size() == 1) {
      sizes(DifferenceKey::gpu_memory, memory_of(inventory_), std::optional(match_.gpus.front()->memory_reported));
    }
    if (match_.nearest != nullptr) {
      system(*match_.nearest);
    }
    return std::move(differences_);
  }

 private:
  void add(DifferenceKey key, DifferenceValue here, DifferenceValue catalogue) {
    differences_.push_back({key, std::move(here), std::move(catalogue)});
  }

  void faults() {
    if (const std::int64_t count = lost(inventory_); count > 0) {
      add(DifferenceKey::lost_gpus, count, std::int64_t{0});
    }
    if (has_mig(inventory_)) {
      add(DifferenceKey::mig, std::string("on"), std::string("off"));
    }
    if (links_.inactive > 0) {
      add(DifferenceKey::inactive_links, links_.inactive, std::int64_t{0});
    }
  }

  // Two readings of one size differ by rounding.
  template <class Q>
  void sizes(DifferenceKey key, const std::optional<Q>& here, const std::optional<Q>& catalogue) {
    constexpr double kRounding = 0.005;
    if (here && catalogue && std::abs(*here / *catalogue - 1.0) <= kRounding) {
      return;
    }
    if (here || catalogue) {
      add(key, value_of(here), value_of(catalogue));
    }
  }

  void system(const System& nearest) {
    if (nearest.gpus != inventory_.gpu_count()) {
      add(DifferenceKey::gpus, inventory_.gpu_count(), nearest.gpus);
    }
    if (links_.unreadable) {
      add(DifferenceKey::links, std::monostate{}, levels_text(nearest.links));
    } else if (levels_text(match_.links) != levels_text(nearest.links)) {
      add(DifferenceKey::links, levels_text(match_.links), levels_text(nearest.links));
    }
    sizes(DifferenceKey::network, network_of(inventory_).rate, nearest.network_per_node);
    if (inventory_.host.cpus != nearest.vcpus) {
      add(DifferenceKey::cpus, value_of(inventory_.host.cpus), value_of(nearest.vcpus));
    }
    sizes(DifferenceKey::host_memory, usable_memory(inventory_.host), nearest.host_memory);
  }

  const Inventory& inventory_;
  const MachineMatch& match_;
  const LinksHere& links_;
  std::vector<Difference> differences_;
};

tl::unexpected<Error> no_plan(ErrorCode code, std::string message, std::string hint) {
  return fail({code, "--system here", std::move(message), std::move(hint)});
}

// The one product that the GPUs of this machine are.
Result<const Gpu*> product(const Inventory& inventory, const MachineMatch& match) {
  if (inventory.kind == MachineKind::amd) {
    return no_plan(ErrorCode::unsupported, "AMD GPUs are counted here, but not read", "name the machine with --gpu");
  }
  if (inventory.kind != MachineKind::nvidia || names_of(inventory).empty()) {
    return no_plan(ErrorCode::environment, "no GPU answers on this machine", "`mekiki here` says what was asked");
  }
  if (names_of(inventory).size() > 1) {
    return no_plan(ErrorCode::environment, "the machine mixes several kinds of GPU", "name one with --gpu");
  }
  if (has_mig(inventory)) {
    return no_plan(
        ErrorCode::unsupported, "MIG cuts the GPUs of this machine", "turn MIG off, or name the GPU with --gpu");
  }
  if (match.gpus.empty()) {
    return no_plan(ErrorCode::unsupported,
                   fmt::format("the catalogue has no \"{}\"", *names_of(inventory).begin()),
                   "add a row for it in a folder given with --data");
  }
  if (match.gpus.size() > 1) {
    return no_plan(ErrorCode::conflict,
                   fmt::format("\"{}\" is sold in several forms", *names_of(inventory).begin()),
                   "name the form with --gpu");
  }
  return match.gpus.front();
}

}  // namespace

MachineMatch match_machine(const Inventory& inventory, const Catalog& catalog) {
  MachineMatch match{.gpus = products(inventory, catalog)};
  LinksHere links;
  if (!match.gpus.empty()) {
    links = links_here(inventory, *match.gpus.front());
    match.links = links.levels;
    match.nearest = nearest_system(inventory, catalog, match.gpus, match.links);
  }
  match.differences = Comparison(inventory, match, links).run();
  return match;
}

Result<std::shared_ptr<const HereCatalog>> with_machine(const Catalog& base, const Inventory& inventory) {
  const MachineMatch match = match_machine(inventory, base);
  const Result<const Gpu*> found = product(inventory, match);
  if (!found) {
    return fail(found.error());
  }
  auto here = std::make_shared<HereCatalog>();
  here->gpus.assign(base.gpus.begin(), base.gpus.end());
  here->systems.assign(base.systems.begin(), base.systems.end());
  const auto gpu =
      std::find_if(here->gpus.begin(), here->gpus.end(), [&](const Gpu& row) { return row.id == (*found)->id; });
  gpu->memory_reported = memory_of(inventory).value_or(gpu->memory_reported);
  const Network network = network_of(inventory);
  System system{.id = kHereId,
                .provider = "workstation",
                .instance = kHereId,
                .gpu_id = gpu->id,
                .gpus = inventory.gpu_count(),
                .gpus_max = inventory.gpu_count(),
                .links = here->storage.keep(match.links)};
  system.link_domain = match.links.empty() ? 1 : match.links.front().group_size;
  system.vcpus = inventory.host.cpus;
  system.host_memory = usable_memory(inventory.host);
  system.network_per_node = network.rate;
  if (network.rate) {
    system.network_per_gpu = *network.rate / static_cast<double>(system.gpus);
  }
  system.rdma = network.kind;
  system.status = FactStatus::verified;
  system.source = "read on this machine";
  here->systems.push_back(system);
  here->catalog = base;
  here->catalog.gpus = here->gpus;
  here->catalog.systems = here->systems;
  here->catalog.digest = here->storage.keep(digest_of(here->catalog));
  return std::shared_ptr<const HereCatalog>(std::move(here));
}

}  // namespace mekiki
