#include "report/catalogue_report.h"

#include <fmt/format.h>

#include "report/numbers.h"

namespace mekiki {
namespace {

std::string heading(Message message, const Voice& say) {
  return std::string(say(message));
}

template <class Q>
void add_optional(Json& json, const char* key, const std::optional<Q>& value, Q unit) {
  if (value) {
    json[key] = rounded(*value / unit);
  } else {
    add_unknown(json, key, "not in the catalogue");
  }
}

template <class T>
void add_number(Json& json, const char* key, const std::optional<T>& value) {
  if (value) {
    json[key] = *value;
  } else {
    add_unknown(json, key, "not in the catalogue");
  }
}

void add_rate(Json& json, const char* key, const std::optional<FlopsPerSecond>& value) {
  if (value) {
    json[key] = rounded(*value / kTflopPerSecond);
  } else {
    add_unknown(json, key, "the part lacks the format, or nothing is known");
  }
}

ListingCell word(std::string_view text) {
  return {std::string(text), {}};
}

ListingCell number(double value) {
  return {figure(value), value};
}

template <class Q>
ListingCell in_unit(const std::optional<Q>& value, Q unit) {
  return value ? number(*value / unit) : ListingCell{"-", {}};
}

// Without grouping: a year is no amount.
template <class T>
ListingCell plain(const std::optional<T>& value) {
  return value ? ListingCell{fmt::format("{:.6g}", static_cast<double>(*value)), static_cast<double>(*value)}
               : ListingCell{"-", {}};
}

template <class E>
std::string status_text(E status, const Voice& say) {
  return std::string(say(message_of("status." + std::string(enum_name(status)))));
}

std::string link_text(const Gpu& gpu) {
  std::string text(enum_name(gpu.link));
  if (gpu.nvlink_bandwidth) {
    text += " " + figure(*gpu.nvlink_bandwidth / kGBPerSecond);
  }
  return text;
}

Json gpu_json(const Gpu& gpu) {
  Json json = {{"id", gpu.id},
               {"name", gpu.name},
               {"vendor", gpu.vendor},
               {"architecture", gpu.architecture},
               {"form", enum_name(gpu.form)},
               {"class", enum_name(gpu.gpu_class)},
               {"memory_marketed_gb", rounded(gpu.memory_marketed / kGB)},
               {"memory_reported_gib", json_gib(gpu.memory_reported)},
               {"memory_type", gpu.memory_type},
               {"memory_gb_per_s", rounded(gpu.memory_bandwidth / kGBPerSecond)},
               {"ecc", enum_name(gpu.ecc)}};
  add_rate(json, "fp32_tflop_per_s", gpu.peaks.fp32);
  add_rate(json, "tf32_tflop_per_s", gpu.peaks.tf32);
  add_rate(json, "bf16_tflop_per_s", gpu.peaks.bf16);
  add_rate(json, "fp8_tflop_per_s", gpu.peaks.fp8);
  add_rate(json, "fp4_tflop_per_s", gpu.peaks.fp4);
  json["link"] = enum_name(gpu.link);
  add_optional(json, "link_gb_per_s", gpu.nvlink_bandwidth, kGBPerSecond);
  json["link_largest_group"] = gpu.nvlink_max_group;
  add_number(json, "pcie_generation", gpu.pcie_generation);
  add_number(json, "board_power_w", gpu.board_power_w);
  add_number(json, "mig_largest_count", gpu.mig_max_instances);
  json["status"] = enum_name(gpu.status);
  json["from_memory"] = gpu.from_memory;
  json["source"] = gpu.source;
  json["notes"] = gpu.notes;
  return json;
}

std::string link_text(const System& system) {
  std::string text;
  for (const LinkLevel& level : system.links) {
    text += (text.empty() ? "" : ", ") + std::string(enum_name(level.kind)) + " " + std::to_string(level.group_size);
  }
  return text.empty() ? "-" : text;
}

Json system_json(const System& system) {
  Json links = Json::array();
  for (const LinkLevel& level : system.links) {
    links.push_back({{"kind", enum_name(level.kind)}, {"group_size", level.group_size}});
  }
  Json json = {{"id", system.id},
               {"provider", system.provider},
               {"instance", system.instance},
               {"gpu", system.gpu_id},
               {"gpus", system.gpus},
               {"links", std::move(links)},
               {"link_domain", system.link_domain}};
  add_number(json, "vcpus", system.vcpus);
  add_optional(json, "host_memory_gib", system.host_memory, kGiB);
  add_optional(json, "local_nvme_gb", system.local_nvme, kGB);
  add_optional(json, "network_per_node_gb_per_s", system.network_per_node, kGBPerSecond);
  json["rdma"] = enum_name(system.rdma);
  json["gpudirect"] = enum_name(system.gpudirect);
  json["cluster_limit"] = system.max_cluster_note;
  json["status"] = enum_name(system.status);
  json["from_memory"] = system.from_memory;
  json["source"] = system.source;
  json["notes"] = system.notes;
  return json;
}

}  // namespace

Listing gpus_listing(const std::vector<const Gpu*>& gpus, const std::vector<GpuEvidence>& evidence, const Voice& say) {
  Listing listing;
  listing.columns = {{"id", "id"},
                     {"name", heading(Message::column_name, say)},
                     {"memory_gb", "GB", Align::right},
                     {"memory_gib", "GiB", Align::right},
                     {"memory_gb_per_s", "GB/s", Align::right},
                     {"bf16_tflop_per_s", "bf16", Align::right},
                     {"fp8_tflop_per_s", "fp8", Align::right},
                     {"fp4_tflop_per_s", "fp4", Align::right, false},
                     {"link", heading(Message::column_link, say)},
                     {"link_gb_per_s", "link GB/s", Align::right, false},
                     {"form", "form", Align::left, false},
                     {"class", "class", Align::left, false},
                     {"architecture", "architecture", Align::left, false},
                     {"ecc", "ecc", Align::left, false},
                     {"board_power_w", "W", Align::right, false},
                     {"mig", "MIG", Align::right, false},
                     {"year", "year", Align::right, false},
                     {"offers", "offers", Align::right, false},
                     {"providers", "providers", Align::right, false},
                     {"measured_points", "measured", Align::right, false},
                     {"status", heading(Message::column_status, say)}};
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const Gpu* gpu = gpus[i];
    listing.rows.push_back({word(gpu->id),
                            word(gpu->name),
                            number(gpu->memory_marketed / kGB),
                            {fmt::format("{:.2f}", gpu->memory_reported / kGiB), gpu->memory_reported / kGiB},
                            number(gpu->memory_bandwidth / kGBPerSecond),
                            in_unit(gpu->peaks.bf16, kTflopPerSecond),
                            in_unit(gpu->peaks.fp8, kTflopPerSecond),
                            in_unit(gpu->peaks.fp4, kTflopPerSecond),
                            {link_text(*gpu), {}},
                            in_unit(gpu->nvlink_bandwidth, kGBPerSecond),
                            word(enum_name(gpu->form)),
                            word(enum_name(gpu->gpu_class)),
                            word(gpu->architecture),
                            word(gpu->ecc == Ecc::unknown ? "-" : enum_name(gpu->ecc)),
                            plain(gpu->board_power_w),
                            plain(gpu->mig_max_instances),
                            plain(gpu->year),
                            number(static_cast<double>(evidence[i].offers)),
                            number(static_cast<double>(evidence[i].providers)),
                            number(static_cast<double>(evidence[i].measured_points)),
                            {status_text(gpu->status, say), {}}});
  }
  return listing;
}

std::string gpus_footer(const Voice& say) {
  return std::string(say(Message::gpus_footer)) + "\n";
}

Json gpus_json(const std::vector<const Gpu*>& gpus,
               const std::vector<GpuEvidence>& evidence,
               const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["gpus"] = Json::array();
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    Json gpu = gpu_json(*gpus[i]);
    gpu["evidence"] = {{"offers", evidence[i].offers},
                       {"providers", evidence[i].providers},
                       {"measured_points", evidence[i].measured_points}};
    json["gpus"].push_back(std::move(gpu));
  }
  return json;
}

Listing systems_listing(const std::vector<const System*>& systems, const Voice& say) {
  Listing listing;
  listing.columns = {{"id", "id"},
                     {"provider", heading(Message::column_provider, say)},
                     {"instance", "instance", Align::left, false},
                     {"gpus", heading(Message::column_gpus, say), Align::right},
                     {"gpu", "gpu"},
                     {"link", heading(Message::column_link, say)},
                     {"network_gb_per_s", "GB/s", Align::right},
                     {"network_gb_per_s_per_gpu", "GB/s/GPU", Align::right, false},
                     {"rdma", "rdma"},
                     {"gpudirect", "gpudirect", Align::left, false},
                     {"vcpus", "vCPU", Align::right, false},
                     {"host_memory_gib", "GiB", Align::right, false},
                     {"local_nvme_gb", "NVMe GB", Align::right, false},
                     {"status", heading(Message::column_status, say)}};
  for (const System* system : systems) {
    listing.rows.push_back({word(system->id),
                            word(system->provider),
                            word(system->instance),
                            number(static_cast<double>(system->gpus)),
                            word(system->gpu_id),
                            {link_text(*system), {}},
                            in_unit(system->network_per_node, kGBPerSecond),
                            in_unit(system->network_per_gpu, kGBPerSecond),
                            word(enum_name(system->rdma)),
                            word(enum_name(system->gpudirect)),
                            plain(system->vcpus),
                            in_unit(system->host_memory, kGiB),
                            in_unit(system->local_nvme, kGB),
                            {status_text(system->status, say), {}}});
  }
  return listing;
}

std::string systems_footer(const Voice& say) {
  return std::string(say(Message::systems_footer)) + "\n";
}

Json systems_json(const std::vector<const System*>& systems, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["systems"] = Json::array();
  for (const System* system : systems) {
    json["systems"].push_back(system_json(*system));
  }
  return json;
}

}  // namespace mekiki
