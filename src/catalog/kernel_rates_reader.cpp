#include "catalog/kernel_rates_reader.h"

#include <algorithm>

#include "base/json.h"
#include "catalog/object_reader.h"

namespace mekiki {
namespace {

void read_rules(ObjectReader& parent, StepRules& rules) {
  std::optional<ObjectReader> r = parent.object("step_rules");
  if (!r) {
    parent.fail_at("step_rules", "missing");
    return;
  }
  std::string source;
  r->text("source", source);
  r->number("sharded_overlap_slowdown", rules.sharded_overlap_slowdown, 0, 1);
  r->number("reduction_overlap_slowdown", rules.reduction_overlap_slowdown, 0, 1);
  r->number("tensor_overlap_slowdown", rules.tensor_overlap_slowdown, 0, 1);
  r->number("launch_scale", rules.launch_scale, 0.1, 10);
  r->quantity("kernel_start_us", rules.kernel_start, 1e-6, 0, 1e3);
  r->number("kernels_per_layer", rules.kernels_per_layer, 1, 1000);
  r->number("reduction_window", rules.reduction_window, 0, 1);
  r->number("stragglers_per_doubling", rules.stragglers_per_doubling, 0, 1);
  r->number("network_efficiency", rules.network_efficiency, 0.01, 1);
  r->number("send_efficiency", rules.send_efficiency, 0.01, 1);
  r->quantity("network_start_us", rules.network_start, kMicrosecond.base(), 0, 1e6);
  r->quantity("network_step_us", rules.network_step, kMicrosecond.base(), 0, 1e6);
  r->number("network_most_steps", rules.network_most_steps, 0, 1e6);
  r->quantity("nvme_gb_per_s", rules.nvme, 1e9, 0.01, 1e3);
  r->quantity("host_bridge_gb_per_s", rules.host_bridge, 1e9, 0.1, 1e4);
  r->number("interleaved_send_exposed", rules.interleaved_send_exposed, 0, 1);
  r->number("plain_send_exposed", rules.plain_send_exposed, 0, 1);
  r->number("eager_attention_efficiency", rules.eager_attention_efficiency, 0.01, 1);
  r->number("eager_attention_bytes_per_score", rules.eager_attention_bytes_per_score, 0, 100);
  r->number("eager_attention_backward", rules.eager_attention_backward, 0, 10);
  parent.adopt(*r);
}

KernelRates read_gpu(ObjectReader& r) {
  KernelRates k;
  std::string source, status;
  r.text("gpu_id", k.gpu_id);
  r.text("gemm_surface_of", k.gemm_surface_of);
  r.text("attention_surface_of", k.attention_surface_of);
  r.text("collective_curves_of", k.collective_curves_of);
  r.number("flat_gemm_efficiency", k.flat_gemm_efficiency, 0.01, 1.05);
  r.number("sustained", k.sustained, 0.1, 1.2);
  r.number("low_precision", k.low_precision, 0.1, 2.0);
  r.number("backward_gemm", k.backward_gemm, 0.1, 1.5);
  r.number("memory_efficiency", k.memory_efficiency, 0.1, 1.0);
  r.number("attention", k.attention, 0.1, 1.5);
  r.number("attention_backward", k.attention_backward, 0.1, 1.5);
  r.number("software_loss_per_year", k.software_loss_per_year, 0, 0.3);
  r.number("software_mature_year", k.software_mature_year, 2000, 2100);
  r.number("collective_time", k.collective_time, 0.1, 20.0);
  r.text("source", source);
  r.text("status", status);
  k.own_surface = status == "measured";
  if (k.gpu_id.empty() || source.empty()) {
    r.fail_at("gpu_id", "gpu_id and source must be given");
  }
  return k;
}

AttentionGeneration read_generation(ObjectReader& r) {
  AttentionGeneration g;
  std::string source;
  r.text("architecture", g.architecture);
  r.text("kernel", g.kernel);
  r.number("forward_tflop_per_s", g.forward_tflop_per_second, 1, 1e5);
  r.number("backward_over_forward", g.backward_over_forward, 0.1, 2);
  r.number("half_rate_length", g.half_rate_length, 0, 1e5);
  r.number("head_dim_64", g.head_dim_64, 0.1, 2);
  r.number("reference_bf16_tflop_per_s", g.reference_bf16_tflop_per_second, 1, 1e5);
  r.text("source", source);
  return g;
}

UsualNetwork read_network(ObjectReader& r) {
  UsualNetwork n;
  std::string source;
  r.text("architecture", n.architecture);
  r.quantity("gb_per_s", n.per_gpu, 1e9, 0.01, 1e4);
  r.text("source", source);
  return n;
}

template <class T, class Read>
void read_list(ObjectReader& parent, std::string_view key, std::vector<T>& rows, Read read) {
  const nlohmann::json* list = parent.find(key);
  if (list == nullptr || !list->is_array()) {
    parent.fail_at(key, "a list is expected");
    return;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    ObjectReader reader((*list)[i], json_path(json_path(parent.subject(), key), i));
    rows.push_back(read(reader));
    parent.adopt(reader);
  }
}

/// The run of rows that belong to one GPU.
template <class Row>
std::span<const Row> rows_of(std::span<const Row> rows, std::string_view gpu_id) {
  const auto mine = [&](const Row& row) { return row.gpu_id == gpu_id; };
  const auto first = std::find_if(rows.begin(), rows.end(), mine);
  const auto last = std::find_if_not(first, rows.end(), mine);
  return rows.subspan(static_cast<std::size_t>(first - rows.begin()), static_cast<std::size_t>(last - first));
}

BytesPerSecond usual_network(const Gpu& gpu, const RatesBook& book) {
  for (const UsualNetwork& network : book.networks) {
    if (gpu.architecture.starts_with(network.architecture)) {
      return network.per_gpu;
    }
  }
  return BytesPerSecond{12.5e9};
}

}  // namespace

Result<RatesBook> read_rates_book(std::string_view text, std::string_view subject) {
  Result<nlohmann::json> value = parse_json(text, subject);
  if (!value) {
    return fail(value.error());
  }
  ObjectReader reader(*value, std::string(subject) + ":");
  RatesBook book;
  std::string about;
  reader.text("about", about);
  read_rules(reader, book.rules);
  read_list(reader, "gpus", book.gpus, read_gpu);
  read_list(reader, "attention_generations", book.generations, read_generation);
  read_list(reader, "network_per_gpu_gb_per_s", book.networks, read_network);
  if (Status status = reader.finish(); !status) {
    return fail(status.error());
  }
  return book;
}

Result<RatesBook> rates_book(const Catalog& catalog) {
  constexpr std::string_view kPath = "data/measured/kernel_rates.json";
  const std::optional<std::string_view> text = find_document(catalog, kPath);
  if (!text) {
    return fail({ErrorCode::not_found, std::string(kPath), "the catalogue lacks it", ""});
  }
  return read_rates_book(*text, kPath);
}

Result<GpuRates> rates_of(const Gpu& gpu, const RatesBook& book, const Catalog& catalog) {
  const auto row =
      std::find_if(book.gpus.begin(), book.gpus.end(), [&](const KernelRates& k) { return k.gpu_id == gpu.id; });
  if (row == book.gpus.end()) {
    return fail({ErrorCode::not_found,
                 "gpu",
                 "no kernel rates are known for " + std::string(gpu.id),
                 "add a row to measured/kernel_rates.json that names the nearest measured GPU"});
  }
  GpuRates rates{.gpu = &gpu, .kernels = *row, .generations = book.generations, .rules = book.rules};
  rates.gemm = rows_of(catalog.gemm_surfaces, row->gemm_surface_of);
  rates.attention = rows_of(catalog.attention_surfaces, row->attention_surface_of);
  rates.curves = rows_of(catalog.collective_curves, row->collective_curves_of);
  for (const Gpu& other : catalog.gpus) {
    if (other.id == row->attention_surface_of && other.peaks.bf16) {
      rates.reference_bf16_peak = *other.peaks.bf16 / FlopsPerSecond{1.0};
    }
  }
  return rates;
}

ClusterView cluster_of(const System& system, const Gpu& gpu, const RatesBook& book) {
  ClusterView view{
      .system = &system, .gpus_per_node = system.gpus, .link_domain = std::max<std::int64_t>(system.link_domain, 1)};
  view.link = link_for_group(system, system.gpus).kind;
  view.link_domain = std::max(view.link_domain, system.gpus);
  if (system.network_per_node) {
    view.network_per_gpu = *system.network_per_node / static_cast<double>(system.gpus);
  } else {
    view.network_per_gpu = usual_network(gpu, book);
    view.network_assumed = true;
  }
  return view;
}

ClusterView usual_cluster(const Gpu& gpu, std::int64_t gpus_per_node, const RatesBook& book) {
  const bool switched = gpu.form == FormFactor::sxm || gpu.form == FormFactor::superchip || gpu.form == FormFactor::oam;
  return {.gpus_per_node = gpus_per_node,
          .link_domain = gpus_per_node,
          .link = switched ? LinkKind::nvswitch : LinkKind::pcie,
          .network_per_gpu = usual_network(gpu, book),
          .network_assumed = true};
}

}  // namespace mekiki
