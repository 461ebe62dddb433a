// Catalog: all tables of facts as read-only spans. Copying one costs nothing; what it views must outlive it.
#pragma once

#include <span>
#include <string_view>

#include "cost/price.h"
#include "hardware/gpu.h"
#include "hardware/measured.h"
#include "hardware/system.h"

namespace mekiki {

/// A text that is kept as it is: a model's config.json, a profile, a message table, an example.
struct Document {
  std::string_view path;  // from the root of the repository: "data/messages/en.json"
  std::string_view text;
};

struct Catalog {
  std::span<const Gpu> gpus;
  std::span<const GpuAlias> gpu_aliases;
  std::span<const System> systems;
  std::span<const Provider> providers;
  std::span<const Source> sources;
  std::span<const Price> prices;
  std::span<const PriceGpu> price_gpus;
  std::span<const GemmSurface> gemm_surfaces;            // by gpu, dtype, block_scaled
  std::span<const AttentionSurface> attention_surfaces;  // by gpu, head_dim, grouped
  std::span<const CollectiveCurve> collective_curves;    // by gpu, collective, ranks, newest library first
  std::span<const Document> documents;                   // by path
  std::string_view digest;                               // of all of the above, 16 hexadecimal digits
};

}  // namespace mekiki
