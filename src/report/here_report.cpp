#include "report/here_report.h"

#include <fmt/format.h>

#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

std::string line(std::string text) {
  return std::move(text) + "\n";
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string spoken(std::string_view group, std::string_view id, const Voice& say) {
  return std::string(say(message_of(std::string(group) + "." + std::string(id))));
}

std::string value_text(const DifferenceValue& value, const Voice& say) {
  struct Visitor {
    const Voice& say;
    std::string operator()(std::monostate) const { return std::string(say(Message::here_unknown)); }
    std::string operator()(std::int64_t count) const { return whole(count); }
    std::string operator()(Bytes bytes) const { return capacity_gib(bytes); }
    std::string operator()(BytesPerSecond rate) const { return figure(rate / kGBPerSecond) + " GB/s"; }
    std::string operator()(const std::string& text) const { return or_dash(text); }
  };
  return std::visit(Visitor{say}, value);
}

Json value_json(const DifferenceValue& value) {
  struct Visitor {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(std::int64_t count) const { return count; }
    Json operator()(Bytes bytes) const { return json_gib(bytes); }
    Json operator()(BytesPerSecond rate) const { return rounded(rate / kGBPerSecond); }
    Json operator()(const std::string& text) const { return text; }
  };
  return std::visit(Visitor{}, value);
}

std::string on_off(const std::optional<bool>& value) {
  return value ? (*value ? "on" : "off") : "-";
}

std::string gpus_table(const Inventory& inventory, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const GpuReading& gpu : inventory.gpus) {
    rows.push_back({std::to_string(gpu.index),
                    gpu.name.empty() ? std::string(say(Message::here_no_answer)) : gpu.name,
                    gpu.memory_total ? fmt::format("{:.2f}", *gpu.memory_total / kGiB) : "-",
                    gpu.memory_used ? fmt::format("{:.2f}", *gpu.memory_used / kGiB) : "-",
                    on_off(gpu.mig),
                    on_off(gpu.ecc)});
  }
  return rows.empty() ? ""
                      : table({{"#", Align::right},
                               {std::string(say(Message::column_name))},
                               {"GiB", Align::right},
                               {std::string(say(Message::here_used)), Align::right},
                               {"MIG"},
                               {"ECC"}},
                              rows,
                              "  ");
}

std::string limits_text(const HostReadings& host, const Voice& say) {
  std::string text;
  if (host.memory_limit) {
    text += line(say(Message::here_memory_limit, {{"memory", capacity_gib(*host.memory_limit)}}));
  }
  if (host.cpu_limit) {
    text += line(say(Message::here_cpu_limit, {{"cpus", figure(*host.cpu_limit)}}));
  }
  return text;
}

std::string host_text(const Inventory& inventory, const Voice& say) {
  const HostReadings& host = inventory.host;
  std::string text = line(say(Message::here_host,
                              {{"cpus", host.cpus ? whole(*host.cpus) : "-"},
                               {"processor", or_dash(host.processor)},
                               {"numa", host.numa_nodes ? whole(*host.numa_nodes) : "-"},
                               {"memory", host.memory ? capacity_gib(*host.memory) : "-"}}));
  text += limits_text(host, say);
  for (const MountReading& mount : host.mounts) {
    text +=
        line(say(Message::here_mount, {{"mount", mount.mount}, {"size", gb(mount.size)}, {"free", gb(mount.free)}}));
  }
  text += line(say(Message::here_software,
                   {{"driver", or_dash(inventory.driver)},
                    {"cuda", inventory.cuda.value_or("-")},
                    {"torch", or_dash(host.torch)},
                    {"torch_cuda", or_dash(host.torch_cuda)},
                    {"nccl", or_dash(host.nccl)}}));
  return text;
}

std::string ports_text(const Inventory& inventory, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const FabricPort& port : inventory.ports) {
    rows.push_back({port.adapter,
                    or_dash(port.link_layer),
                    or_dash(port.state) + "/" + or_dash(port.physical),
                    port.rate ? figure(*port.rate / kGBPerSecond) + " GB/s" : "-"});
  }
  return rows.empty()
             ? ""
             : line(std::string(say(Message::here_ports))) + table({{""}, {""}, {""}, {"", Align::right}}, rows, "  ");
}

std::string links_text(const std::vector<LinkLevel>& links) {
  std::string text;
  for (const LinkLevel& level : links) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", enum_name(level.kind), level.group_size);
  }
  return or_dash(text);
}

std::string match_text(const HereAnswer& answer, const Voice& say) {
  const MachineMatch& match = answer.match;
  std::string text;
  if (!match.gpus.empty()) {
    std::string ids;
    for (const Gpu* gpu : match.gpus) {
      ids += (ids.empty() ? "" : ", ") + std::string(gpu->id);
    }
    text += line(say(Message::here_product, {{"gpus", ids}, {"links", links_text(match.links)}}));
  } else if (answer.inventory.kind == MachineKind::nvidia) {
    text += line(std::string(say(Message::here_no_product)));
  }
  if (match.nearest != nullptr) {
    text += line(say(Message::here_nearest, {{"system", std::string(match.nearest->id)}}));
  }
  std::vector<std::vector<std::string>> rows;
  for (const Difference& difference : match.differences) {
    rows.push_back({spoken("difference", enum_name(difference.key), say),
                    value_text(difference.here, say),
                    value_text(difference.catalogue, say)});
  }
  return rows.empty() ? text
                      : text + table({{std::string(say(Message::here_difference))},
                                      {std::string(say(Message::here_here))},
                                      {std::string(say(Message::here_catalogue))}},
                                     rows,
                                     "  ");
}

Json gpu_json(const GpuReading& gpu) {
  Json json = {{"index", gpu.index}};
  const auto add = [&](const char* key, const auto& value) {
    if (value) {
      json[key] = *value;
    } else {
      add_unknown(json, key, "the driver does not say");
    }
  };
  add("name", gpu.name.empty() ? std::nullopt : std::optional(gpu.name));
  add("memory_total_gib", gpu.memory_total ? std::optional(json_gib(*gpu.memory_total)) : std::nullopt);
  add("memory_used_gib", gpu.memory_used ? std::optional(json_gib(*gpu.memory_used)) : std::nullopt);
  add("mig", gpu.mig);
  add("ecc", gpu.ecc);
  add("power_limit_w", gpu.power_limit_w);
  add("compute_capability", gpu.compute_capability);
  add("pcie_generation", gpu.pcie_generation);
  add("pcie_width", gpu.pcie_width);
  return json;
}

Json path_json(const DevicePath& path) {
  constexpr std::string_view kNames[] = {"X", "NV", "PIX", "PXB", "PHB", "NODE", "SYS", "?"};
  const std::string name(kNames[static_cast<std::size_t>(path.kind)]);
  return path.kind == TopologyPath::nvlink ? name + std::to_string(path.links) : name;
}

Json topology_json(const Topology& topology) {
  Json paths = Json::array();
  for (const auto& row : topology.paths) {
    Json line = Json::array();
    for (const DevicePath& path : row) {
      line.push_back(path_json(path));
    }
    paths.push_back(std::move(line));
  }
  return {{"devices", topology.devices}, {"numa", topology.numa}, {"paths", std::move(paths)}};
}

Json nvlink_json(const std::vector<GpuLinks>& gpus) {
  Json list = Json::array();
  for (const GpuLinks& gpu : gpus) {
    list.push_back({{"gpu", gpu.index},
                    {"links", gpu.links.size()},
                    {"active", gpu.active()},
                    {"all_inactive", gpu.all_inactive},
                    {"gb_per_s_one_direction", rounded(gpu.bandwidth() / kGBPerSecond)}});
  }
  return list;
}

Json ports_json(const std::vector<FabricPort>& ports) {
  Json list = Json::array();
  for (const FabricPort& port : ports) {
    list.push_back({{"adapter", port.adapter},
                    {"port", port.port},
                    {"state", port.state},
                    {"physical", port.physical},
                    {"link_layer", port.link_layer},
                    {"gb_per_s", port.rate ? Json(rounded(*port.rate / kGBPerSecond)) : Json(nullptr)},
                    {"up", port.is_up()}});
  }
  return list;
}

template <class T>
Json known(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json known_text(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json host_json(const HostReadings& host) {
  const auto size = [](const std::optional<Bytes>& bytes) { return bytes ? Json(json_gib(*bytes)) : Json(nullptr); };
  Json mounts = Json::array();
  for (const MountReading& mount : host.mounts) {
    mounts.push_back({{"device", mount.device},
                      {"mount", mount.mount},
                      {"size_gb", rounded(mount.size / kGB)},
                      {"free_gb", rounded(mount.free / kGB)}});
  }
  return {{"processor", known_text(host.processor)},
          {"cpus", known(host.cpus)},
          {"cpu_limit", known(host.cpu_limit)},
          {"numa_nodes", known(host.numa_nodes)},
          {"memory_gib", size(host.memory)},
          {"memory_free_gib", size(host.memory_free)},
          {"memory_limit_gib", size(host.memory_limit)},
          {"storage", std::move(mounts)}};
}

Json match_json(const MachineMatch& match) {
  Json gpus = Json::array(), links = Json::array(), differences = Json::array();
  for (const Gpu* gpu : match.gpus) {
    gpus.push_back(gpu->id);
  }
  for (const LinkLevel& level : match.links) {
    links.push_back({{"kind", enum_name(level.kind)}, {"group_size", level.group_size}});
  }
  for (const Difference& difference : match.differences) {
    differences.push_back({{"key", enum_name(difference.key)},
                           {"here", value_json(difference.here)},
                           {"catalogue", value_json(difference.catalogue)}});
  }
  return {{"gpus", std::move(gpus)},
          {"links", std::move(links)},
          {"nearest", match.nearest != nullptr ? Json(match.nearest->id) : Json(nullptr)},
          {"differences", std::move(differences)}};
}

}  // namespace

std::string here_text(const HereAnswer& answer, const Voice& say) {
  const Inventory& inventory = answer.inventory;
  std::string text = line(say(message_of("here.kind_" + std::string(enum_name(inventory.kind))),
                              {{"gpus", whole(inventory.gpu_count())}, {"amd_gpus", whole(inventory.amd_gpus)}}));
  text += gpus_table(inventory, say) + match_text(answer, say) + host_text(inventory, say) + ports_text(inventory, say);
  if (!inventory.unread.empty()) {
    text += line(std::string(say(Message::here_unread)));
    for (const UnreadPart& part : inventory.unread) {
      text += fmt::format("  {}: {}\n", spoken("part", enum_name(part.part), say), part.reason);
    }
  }
  return text;
}

Json here_json(const HereAnswer& answer, const Envelope& envelope) {
  const Inventory& inventory = answer.inventory;
  Json json = json_envelope(envelope);
  json["kind"] = enum_name(inventory.kind);
  json["gpu_count"] = inventory.gpu_count();
  json["gpus"] = Json::array();
  for (const GpuReading& gpu : inventory.gpus) {
    json["gpus"].push_back(gpu_json(gpu));
  }
  json["amd_gpus"] = inventory.amd_gpus;
  json["driver"] = known_text(inventory.driver);
  json["cuda"] = known(inventory.cuda);
  json["topology"] = inventory.topology ? topology_json(*inventory.topology) : Json(nullptr);
  json["nvlink"] = nvlink_json(inventory.nvlink);
  json["adapters"] = ports_json(inventory.ports);
  json["host"] = host_json(inventory.host);
  json["libraries"] = {{"torch", known_text(inventory.host.torch)},
                       {"torch_cuda", known_text(inventory.host.torch_cuda)},
                       {"nccl", known_text(inventory.host.nccl)}};
  json["match"] = match_json(answer.match);
  json["unread"] = Json::array();
  for (const UnreadPart& part : inventory.unread) {
    json["unread"].push_back({{"part", enum_name(part.part)}, {"reason", part.reason}});
  }
  return json;
}

}  // namespace mekiki
