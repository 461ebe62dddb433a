// One table of fields per row type. Each field is named once; the table serves the reader of JSON and CSV, the schema,
// the digest and the C++ that is compiled into the program. Fields stand in the order of the members of the struct,
// because the C++ is written as aggregate initialisers; nested structs open a group.
//
// A visitor has these members, each called with the key and the member (const or not):
//   text(key, Name, Text)            any text; required texts are not empty
//   number(key, member, Unit, doc)   int64, double, Quantity, or std::optional of one; optional reads null (JSON) or an
//                                    empty field (CSV)
//   choice(key, enum, doc)           a name of EnumNames
//   date(key, Date or optional, doc)
//   names(key, span<const Name>, doc)
//   list(key, span<const Row>, doc)  rows of another table (JSON only)
//   begin_group(), end_group()
#pragma once

#include <string_view>

#include "cost/price.h"
#include "hardware/gpu.h"
#include "hardware/system.h"

namespace mekiki {

enum class Presence : bool { optional, required };

/// What a number in a file means: its value times `scale` is the member in base units, and it lies in [low, high].
struct Unit {
  double scale = 1.0;
  double low = 0.0;
  double high = 1e15;
};

template <class Row>
struct Fields;  // kKind, and visit(visitor, row)

template <>
struct Fields<LinkLevel> {
  static constexpr std::string_view kKind = "link";
  static void visit(auto& v, auto& row) {
    v.choice("kind", row.kind, "what joins every pair inside the group");
    v.number("group_size", row.group_size, Unit{1, 1, 1024}, "GPUs of one node in the group");
    v.number(
        "gb_per_s", row.bandwidth_per_gpu, Unit{1e9, 0.1, 1e5}, "per GPU, one direction; null: the GPU's own figure");
  }
};

template <>
struct Fields<Gpu> {
  static constexpr std::string_view kKind = "gpu";

  static void visit(auto& v, auto& row) {
    v.text("id", row.id, Presence::required, "family-form-memory");
    v.text("vendor", row.vendor, Presence::required, "");
    v.text("name", row.name, Presence::required, "as the vendor prints it");
    v.text("architecture", row.architecture, Presence::required, "");
    v.number("compute_capability", row.compute_capability, Unit{1, 1, 99}, "CUDA; null elsewhere");
    v.choice("form", row.form, "PCIe, SXM and NVL forms of one name are different products");
    v.choice("class", row.gpu_class, "");
    visit_memory(v, row);
    v.begin_group();
    visit_peaks(v, row.peaks);
    v.end_group();
    visit_links(v, row);
    visit_provenance(v, row);
  }

  static void visit_memory(auto& v, auto& row) {
    v.number("memory_gb_marketed", row.memory_marketed, Unit{1e9, 0.5, 4096}, "the number on the box");
    v.number("memory_gib_reported", row.memory_reported, Unit{kGiB.base(), 0.5, 4096}, "what the driver shows");
    v.text("memory_type", row.memory_type, Presence::required, "");
    v.number("memory_bandwidth_gb_per_s", row.memory_bandwidth, Unit{1e9, 1, 1e6}, "");
    v.choice("ecc", row.ecc, "");
  }

  static void visit_peaks(auto& v, auto& peaks) {
    constexpr Unit kTflop{1e12, 0.1, 1e6};
    v.number("peak_fp32_tflop_per_s", peaks.fp32, kTflop, "dense");
    v.number("peak_tf32_tflop_per_s", peaks.tf32, kTflop, "dense");
    v.number("peak_bf16_tflop_per_s", peaks.bf16, kTflop, "dense, fp32 accumulation; null: no bf16");
    v.number("peak_fp8_tflop_per_s", peaks.fp8, kTflop, "dense");
    v.number("peak_fp4_tflop_per_s", peaks.fp4, kTflop, "dense");
    v.number("peak_fp16_tflop_per_s", peaks.fp16, kTflop, "dense; only where it is not the bf16 rate");
  }

  static void visit_links(auto& v, auto& row) {
    v.number("sm_count", row.sm_count, Unit{1, 1, 1e4}, "compute units of AMD parts, TPCs of Gaudi");
    v.number("boost_clock_mhz", row.boost_clock_mhz, Unit{1, 100, 1e4}, "that the peaks are printed for");
    v.number("l2_mb", row.l2_mb, Unit{1, 0.1, 1e4}, "");
    v.choice("link", row.link, "between GPUs of this kind");
    v.number("nvlink_generation", row.nvlink_generation, Unit{1, 0, 20}, "0: no NVLink");
    v.number("link_gb_per_s_both_directions", row.nvlink_bandwidth, Unit{1e9, 1, 1e5}, "");
    v.text("link_max_group", row.nvlink_max_group, Presence::required, "largest group that shares the link");
    v.number("pcie_generation", row.pcie_generation, Unit{1, 1, 20}, "");
    v.choice("host_link", row.host_link, "");
    v.number("host_link_gb_per_s_both_directions", row.host_link_bandwidth, Unit{1e9, 1, 1e5}, "");
    v.number("board_power_w", row.board_power_w, Unit{1, 10, 1e4}, "");
    v.number("mig_max_instances", row.mig_max_instances, Unit{1, 0, 64}, "0: cannot be cut");
  }

  static void visit_provenance(auto& v, auto& row) {
    v.number("year", row.year, Unit{1, 2006, 2100}, "");
    v.choice("status", row.status, "of the figures that plans rest on");
    v.text("from_memory", row.from_memory, Presence::optional, "keys whose value nobody has looked up");
    v.text("derived", row.derived, Presence::optional, "keys whose value follows from others");
    v.text("source", row.source, Presence::required, "column=key pairs; keys in data/sources.csv");
    v.text("notes", row.notes, Presence::optional, "");
  }
};

template <>
struct Fields<GpuAlias> {
  static constexpr std::string_view kKind = "gpu_alias";
  static void visit(auto& v, auto& row) {
    v.text("alias", row.alias, Presence::required, "as a tool or a shop writes it");
    v.text("gpu_id", row.gpu_id, Presence::required, "");
    v.text("where", row.where, Presence::required, "who writes it");
  }
};

template <>
struct Fields<System> {
  static constexpr std::string_view kKind = "system";

  static void visit(auto& v, auto& row) {
    v.text("id", row.id, Presence::required, "");
    v.text("provider", row.provider, Presence::required, "id of a provider");
    v.text("instance", row.instance, Presence::required, "as the provider names it");
    v.text("gpu_id", row.gpu_id, Presence::required, "* : any GPU of the provider");
    v.number("gpus", row.gpus, Unit{1, 1, 1024}, "per node");
    v.number("gpus_max", row.gpus_max, Unit{1, 1, 1024}, "above gpus: any number between can be had");
    v.list("links", row.links, "narrowest group first");
    v.number(
        "link_domain", row.link_domain, Unit{1, 1, 1e4}, "GPUs that share the fastest link, across nodes in racks");
    v.number("vcpus", row.vcpus, Unit{1, 1, 1e5}, "");
    v.number("host_memory_gib", row.host_memory, Unit{kGiB.base(), 1, 1e6}, "");
    v.number("local_nvme_tb", row.local_nvme, Unit{1e12, 0, 1e5}, "0: none");
    v.number("network_gbit_per_s", row.network_per_node, Unit{1e9 / 8, 0.1, 1e6}, "all NICs of a node, one direction");
    v.number("network_gb_per_s_per_gpu", row.network_per_gpu, Unit{1e9, 0.001, 1e4}, "without front-end NICs");
    v.choice("rdma", row.rdma, "");
    v.choice("gpudirect", row.gpudirect, "");
    v.text("max_cluster_note", row.max_cluster_note, Presence::optional, "");
    v.choice("status", row.status, "of the network and the links");
    v.text("from_memory", row.from_memory, Presence::optional, "keys whose value nobody has looked up");
    v.text("source", row.source, Presence::required, "");
    v.text("notes", row.notes, Presence::optional, "");
  }
};

template <>
struct Fields<Provider> {
  static constexpr std::string_view kKind = "provider";
  static void visit(auto& v, auto& row) {
    v.text("id", row.id, Presence::required, "");
    v.text("name", row.name, Presence::required, "");
    v.names("aliases", row.aliases, "as price books and tools write it");
    v.choice("class", row.provider_class, "");
    v.text("notes", row.notes, Presence::optional, "");
  }
};

template <>
struct Fields<Source> {
  static constexpr std::string_view kKind = "source";
  static void visit(auto& v, auto& row) {
    v.text("key", row.key, Presence::required, "as source columns name it");
    v.text("what", row.what, Presence::required, "repository, path and commit, or address");
    v.text("grade", row.grade, Presence::optional, "");
  }
};

template <>
struct Fields<PriceGpu> {
  static constexpr std::string_view kKind = "price_gpu";
  static void visit(auto& v, auto& row) {
    v.text("price_gpu_id", row.price_gpu_id, Presence::required, "as the price book writes it");
    v.text("sku", row.sku, Presence::optional, "only prices with this sku");
    v.text("gpu_id", row.gpu_id, Presence::optional, "empty: means no product, see reason");
    v.text("candidates", row.candidates, Presence::optional, "ids that an ambiguous name may stand for, by blanks");
    v.text("reason", row.reason, Presence::optional, "");
  }
};

template <>
struct Fields<Price> {
  static constexpr std::string_view kKind = "price";
  static void visit(auto& v, auto& row) {
    v.text("id", row.id, Presence::required, "");
    v.text("provider", row.provider, Presence::required, "id of a provider");
    v.text("sku", row.sku, Presence::optional, "instance or product");
    v.text("gpu_id", row.gpu_id, Presence::required, "of the price book; see prices/gpu_ids.csv");
    v.number("gpus", row.gpus, Unit{1, 1, 1e6}, "in the purchasable unit");
    v.text("region", row.region, Presence::optional, "");
    v.choice("kind", row.kind, "");
    v.choice("tenancy", row.tenancy, "");
    v.number(
        "price_per_hour", row.per_unit, Unit{kUsdPerHour.base(), 0.001, 1e6}, "the whole unit, in the currency below");
    v.text("currency", row.currency, Presence::required, "of the quote");
    v.date("as_of", row.as_of, "when the source read the price");
    v.date("valid_from", row.valid_from, "");
    v.date("valid_to", row.valid_to, "the last day");
    v.number("billing_increment_s", row.billing_increment, Unit{1, 1, 1e9}, "");
    v.number("minimum_s", row.minimum, Unit{1, 1, 1e9}, "the shortest time that is billed");
    v.number("commitment_s", row.commitment, Unit{1, 1, 1e9}, "how long the unit is bound");
    v.number("upfront_share", row.upfront_share, Unit{1, 0, 1}, "of the price, paid before the first hour");
    v.number("minimum_units", row.minimum_units, Unit{1, 1, 1e6}, "the fewest units sold at this price");
    v.number("waiting_s", row.waiting, Unit{1, 0, 1e9}, "from order to first hour");
    v.choice("includes_host", row.includes_host, "no: the accelerator alone");
    v.text("doubt", row.doubt, Presence::optional, "why the row is not planned with");
    v.text("source", row.source, Presence::required, "");
    v.text("notes", row.notes, Presence::optional, "");
  }
};

/// The texts by which two rows are the same row; an overlay replaces by it.
inline Name row_key(const Gpu& row) {
  return row.id;
}
inline Name row_key(const System& row) {
  return row.id;
}
inline Name row_key(const Provider& row) {
  return row.id;
}
inline Name row_key(const Price& row) {
  return row.id;
}
inline Name row_key(const Source& row) {
  return row.key;
}

}  // namespace mekiki
