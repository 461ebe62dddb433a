#include "report/catalogue_report.h"

#include <fmt/format.h>

#include "report/numbers.h"
#include "report/table.h"

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

std::string rate(const std::optional<FlopsPerSecond>& value) {
  return value ? figure(*value / kTflopPerSecond) : "-";
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

std::string price_text(const Price& price) {
  if (!price.per_unit) {
    return "-";
  }
  return price.currency == "USD" ? usd(*price.per_unit * kHour)
                                 : fmt::format("{:.2f} {}", *price.per_unit / kUsdPerHour, price.currency);
}

std::string per_gpu_text(const Price& price) {
  if (!price.per_unit) {
    return "-";
  }
  return fmt::format("{:.2f}", *price.per_unit / kUsdPerHour / static_cast<double>(price.gpus));
}

Json price_json(const PriceLine& line) {
  const Price& price = *line.price;
  Json json = {{"id", price.id}, {"provider", price.provider}, {"sku", price.sku}, {"gpu_of_book", price.gpu_id}};
  if (line.gpu_id.empty()) {
    add_unknown(json, "gpu", line.gpu_reason.empty() ? "the book's name is not known" : line.gpu_reason);
  } else {
    json["gpu"] = line.gpu_id;
  }
  json["gpus"] = price.gpus;
  json["region"] = price.region;
  json["kind"] = enum_name(price.kind);
  if (price.per_unit) {
    json["per_hour"] = rounded(*price.per_unit / kUsdPerHour);
    json["per_gpu_hour"] = rounded(*price.per_unit / kUsdPerHour / static_cast<double>(price.gpus));
  } else {
    add_unknown(json, "per_hour", "the source gives none");
    add_unknown(json, "per_gpu_hour", "the source gives none");
  }
  json["currency"] = price.currency;
  json["date"] = format_date(price.as_of);
  json["age_days"] = line.age_days;
  json["staleness"] = enum_name(line.staleness);
  json["doubt"] = price.doubt;
  json["source"] = price.source;
  json["notes"] = price.notes;
  return json;
}

}  // namespace

std::string gpus_text(const std::vector<const Gpu*>& gpus, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(gpus.size());
  for (const Gpu* gpu : gpus) {
    rows.push_back({std::string(gpu->id),
                    std::string(gpu->name),
                    figure(gpu->memory_marketed / kGB),
                    fmt::format("{:.2f}", gpu->memory_reported / kGiB),
                    figure(gpu->memory_bandwidth / kGBPerSecond),
                    rate(gpu->peaks.bf16),
                    rate(gpu->peaks.fp8),
                    link_text(*gpu),
                    status_text(gpu->status, say)});
  }
  return table({{"id"},
                {heading(Message::column_name, say)},
                {"GB", Align::right},
                {"GiB", Align::right},
                {"GB/s", Align::right},
                {"bf16", Align::right},
                {"fp8", Align::right},
                {heading(Message::column_link, say)},
                {heading(Message::column_status, say)}},
               rows) +
         std::string(say(Message::gpus_footer)) + "\n";
}

Json gpus_json(const std::vector<const Gpu*>& gpus, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["gpus"] = Json::array();
  for (const Gpu* gpu : gpus) {
    json["gpus"].push_back(gpu_json(*gpu));
  }
  return json;
}

std::string systems_text(const std::vector<const System*>& systems, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(systems.size());
  for (const System* system : systems) {
    rows.push_back({std::string(system->id),
                    std::string(system->provider),
                    std::to_string(system->gpus),
                    std::string(system->gpu_id),
                    link_text(*system),
                    system->network_per_node ? figure(*system->network_per_node / kGBPerSecond) : "-",
                    std::string(enum_name(system->rdma)),
                    status_text(system->status, say)});
  }
  return table({{"id"},
                {heading(Message::column_provider, say)},
                {heading(Message::column_gpus, say), Align::right},
                {"gpu"},
                {heading(Message::column_link, say)},
                {"GB/s", Align::right},
                {"rdma"},
                {heading(Message::column_status, say)}},
               rows) +
         std::string(say(Message::systems_footer)) + "\n";
}

Json systems_json(const std::vector<const System*>& systems, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["systems"] = Json::array();
  for (const System* system : systems) {
    json["systems"].push_back(system_json(*system));
  }
  return json;
}

std::string prices_text(const std::vector<PriceLine>& prices, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(prices.size());
  for (const PriceLine& line : prices) {
    const Price& price = *line.price;
    rows.push_back({std::string(price.provider),
                    std::string(price.sku),
                    std::to_string(price.gpus) + " x " + std::string(line.gpu_id.empty() ? price.gpu_id : line.gpu_id) +
                        (line.gpu_id.empty() ? " ?" : ""),
                    std::string(enum_name(price.kind)),
                    price_text(price),
                    per_gpu_text(price),
                    format_date(price.as_of),
                    std::string(say(message_of("staleness." + std::string(enum_name(line.staleness))))) +
                        (is_suspect(price) ? " " + std::string(say(Message::prices_doubted)) : "")});
  }
  return table({{heading(Message::column_provider, say)},
                {"sku"},
                {"gpu"},
                {heading(Message::column_kind, say)},
                {heading(Message::column_per_hour, say), Align::right},
                {heading(Message::column_per_gpu, say), Align::right},
                {heading(Message::column_date, say)},
                {heading(Message::column_age, say)}},
               rows) +
         say(Message::prices_footer, {{"count", std::to_string(prices.size())}}) + "\n";
}

Json prices_json(const std::vector<PriceLine>& prices, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["prices"] = Json::array();
  for (const PriceLine& line : prices) {
    json["prices"].push_back(price_json(line));
  }
  return json;
}

}  // namespace mekiki
