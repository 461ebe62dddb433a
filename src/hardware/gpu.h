// Gpu: one product as one row. PCIe, SXM and NVL forms of a name are different products.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/dtype.h"
#include "base/enum_names.h"
#include "base/name.h"
#include "base/quantity.h"

namespace mekiki {

enum class FormFactor : std::uint8_t { pcie, sxm, nvl, oam, workstation, superchip };

template <>
struct EnumNames<FormFactor> {
  static constexpr std::array<std::string_view, 6> value = {"pcie", "sxm", "nvl", "oam", "workstation", "superchip"};
};

enum class GpuClass : std::uint8_t { consumer, workstation, data_center };

template <>
struct EnumNames<GpuClass> {
  static constexpr std::array<std::string_view, 3> value = {"consumer", "workstation", "data_center"};
};

enum class Ecc : std::uint8_t { unknown, no, optional, yes };

template <>
struct EnumNames<Ecc> {
  static constexpr std::array<std::string_view, 4> value = {"unknown", "no", "optional", "yes"};
};

/// What joins GPUs of this kind to each other, where the host's PCIe does not.
enum class GpuLink : std::uint8_t { none, nvlink, xgmi, ethernet };

template <>
struct EnumNames<GpuLink> {
  static constexpr std::array<std::string_view, 4> value = {"none", "nvlink", "xgmi", "ethernet"};
};

/// What joins a GPU to its host: PCIe, or the coherent link of a superchip.
enum class HostLink : std::uint8_t { pcie, c2c };

template <>
struct EnumNames<HostLink> {
  static constexpr std::array<std::string_view, 2> value = {"pcie", "c2c"};
};

/// How sure a row of facts is. `from_memory` rows carry the mark into every report that leans on them.
enum class FactStatus : std::uint8_t { verified, derived, from_memory };

template <>
struct EnumNames<FactStatus> {
  static constexpr std::array<std::string_view, 3> value = {"verified", "derived", "from_memory"};
};

/// Dense peaks; a datasheet that prints the sparse figure prints twice this. Unset = the part lacks the format or
/// nothing is known.
struct PeakRates {
  std::optional<FlopsPerSecond> fp32, tf32, bf16, fp8, fp4;
  std::optional<FlopsPerSecond> fp16;  // only where it is not the bf16 rate (parts without bf16)
};

struct Gpu {
  Name id;
  Name vendor;
  Name name;
  Name architecture;
  std::optional<double> compute_capability;
  FormFactor form = FormFactor::pcie;
  GpuClass gpu_class = GpuClass::data_center;
  Bytes memory_marketed;  // decimal GB on the box
  Bytes memory_reported;  // what the driver shows; planning starts here
  Name memory_type;
  BytesPerSecond memory_bandwidth;
  Ecc ecc = Ecc::unknown;
  PeakRates peaks;
  std::optional<std::int64_t> sm_count;
  std::optional<double> boost_clock_mhz;  // that the peaks are printed for; unset: no source names it
  std::optional<double> l2_mb;
  GpuLink link = GpuLink::none;
  std::int64_t nvlink_generation = 0;              // 0: no NVLink
  std::optional<BytesPerSecond> nvlink_bandwidth;  // of the link (NVLink, xGMI, ...), total, both directions
  Name nvlink_max_group;                           // "2 (bridge)", "8", "72": the largest group that shares it
  std::optional<std::int64_t> pcie_generation;     // unset for superchips
  HostLink host_link = HostLink::pcie;
  std::optional<BytesPerSecond> host_link_bandwidth;  // between GPU and host memory, total, both directions
  std::optional<double> board_power_w;
  std::optional<std::int64_t> mig_max_instances;  // 0: cannot be cut
  std::optional<std::int64_t> year;
  /// Of the figures that plans rest on: memory as reported, bandwidth, peaks from bf16 down, link bandwidth.
  FactStatus status = FactStatus::from_memory;
  Name from_memory;  // keys of the row whose value nobody has looked up, comma separated
  Name derived;      // keys whose value follows from others by a rule that `notes` or `source` names
  Name source;       // column=key pairs; keys in data/sources.csv
  Name notes;
};

/// Dense peak of matrix products in this format; unset where the GPU has none. fp16 shares the bf16 rate where the part
/// has bf16, mxfp8 the fp8 rate.
inline std::optional<FlopsPerSecond> dense_peak(const Gpu& gpu, Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
      return gpu.peaks.fp32;
    case Dtype::tf32:
      return gpu.peaks.tf32;
    case Dtype::bf16:
      return gpu.peaks.bf16;
    case Dtype::fp16:
      return gpu.peaks.fp16 ? gpu.peaks.fp16 : gpu.peaks.bf16;
    case Dtype::fp8:
    case Dtype::mxfp8:
      return gpu.peaks.fp8;
    case Dtype::nvfp4:
      return gpu.peaks.fp4;
    default:
      return std::nullopt;
  }
}

/// A way a tool or a shop writes a GPU's name. An alias of several rows is ambiguous: look-ups show the candidates.
struct GpuAlias {
  Name alias;
  Name gpu_id;
  Name where;
};

}  // namespace mekiki
