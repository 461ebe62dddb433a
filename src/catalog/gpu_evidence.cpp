#include "catalog/gpu_evidence.h"

#include <map>
#include <set>

#include "cost/offer.h"

namespace mekiki {
namespace {

std::int64_t measured_points(const Catalog& catalog, Name gpu_id) {
  std::size_t points = 0;
  for (const GemmSurface& surface : catalog.gemm_surfaces) {
    for (const GemmColumn& column : surface.columns) {
      points += surface.gpu_id == gpu_id ? column.points.size() : 0;
    }
  }
  for (const AttentionSurface& surface : catalog.attention_surfaces) {
    points += surface.gpu_id == gpu_id ? surface.points.size() : 0;
  }
  for (const CollectiveCurve& curve : catalog.collective_curves) {
    points += curve.gpu_id == gpu_id ? curve.points.size() : 0;
  }
  return static_cast<std::int64_t>(points);
}

}  // namespace

std::vector<GpuEvidence> evidence_of(const Catalog& catalog, const std::vector<const Gpu*>& gpus, Date day) {
  std::map<Name, std::int64_t> offers;
  std::map<Name, std::set<Name>> providers;
  for (const Price& price : catalog.prices) {
    const PriceGpu* meaning = meaning_of(price, catalog.price_gpus);
    const bool known = price.as_of <= day && !is_suspect(price) && meaning != nullptr && !meaning->gpu_id.empty();
    if (known && staleness_of(price.kind, day.days - price.as_of.days) != Staleness::outdated) {
      ++offers[meaning->gpu_id];
      providers[meaning->gpu_id].insert(price.provider);
    }
  }
  std::vector<GpuEvidence> evidence;
  for (const Gpu* gpu : gpus) {
    evidence.push_back({.offers = offers[gpu->id],
                        .providers = static_cast<std::int64_t>(providers[gpu->id].size()),
                        .measured_points = measured_points(catalog, gpu->id)});
  }
  return evidence;
}

}  // namespace mekiki
