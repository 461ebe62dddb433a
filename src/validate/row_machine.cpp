#include "validate/row_machine.h"

#include <algorithm>

namespace mekiki {
namespace {

constexpr std::int64_t kUsualNode = 8;

std::int64_t usual_node(const Catalog& catalog, const Gpu& gpu) {
  std::int64_t largest = 0;
  for (const System* system : systems_with_gpu(catalog, gpu.id)) {
    largest = std::max(largest, system->gpus);
  }
  return largest > 0 ? largest : kUsualNode;
}

std::int64_t widest_link_domain(const Catalog& catalog, const Gpu& gpu) {
  std::int64_t widest = 1;
  for (const System* system : systems_with_gpu(catalog, gpu.id)) {
    widest = std::max(widest, system->link_domain);
  }
  return widest;
}

}  // namespace

Result<RowMachine> machine_of_row(const RowContext& context,
                                  const Gpu& gpu,
                                  std::int64_t gpus,
                                  std::optional<std::int64_t> nodes,
                                  RowReader& reader) {
  Result<GpuRates> rates = rates_of_gpu(context, gpu);
  if (!rates) {
    return fail(rates.error());
  }
  const std::int64_t per_node =
      nodes.value_or(0) > 0 ? (gpus + *nodes - 1) / *nodes : std::min(gpus, usual_node(*context.catalog, gpu));
  RowMachine machine{std::move(*rates), usual_cluster(gpu, per_node, context.rates)};
  ClusterView& cluster = machine.cluster;
  // Where racks share one fast link, rows still count their trays as nodes.
  const std::int64_t domain = widest_link_domain(*context.catalog, gpu);
  if (domain > kUsualNode) {
    cluster.link_domain = std::max(cluster.link_domain, domain);
  }
  const std::string_view interconnect = reader.text("interconnect");
  const std::string_view link = reader.word("link", interconnect);
  if (const auto kind = enum_from_name<LinkKind>(link); kind && !link.empty()) {
    cluster.link = *kind;
  }
  if (const auto gb_per_s = reader.number("network", interconnect)) {
    cluster.network_per_gpu = *gb_per_s * kGBPerSecond;
    cluster.network_assumed = false;
  }
  return machine;
}

}  // namespace mekiki
