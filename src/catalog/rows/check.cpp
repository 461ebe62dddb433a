#include "catalog/rows/check.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>

namespace mekiki {
namespace {

using Names = std::set<std::string_view>;

template <class Row, class Key>
Names names_of(std::span<const Row> rows, Key key) {
  Names names;
  for (const Row& row : rows) {
    names.insert(row.*key);
  }
  return names;
}

tl::unexpected<Error> broken(std::string_view row, std::string message) {
  return fail({ErrorCode::invalid_input, std::string(row), std::move(message), {}});
}

template <class Row>
Status each_exists(
    std::span<const Row> rows, Name Row::*reference, Name Row::*label, const Names& known, std::string_view kind) {
  for (const Row& row : rows) {
    if (!known.contains(row.*reference)) {
      return broken(row.*label, fmt::format("there is no {} \"{}\"", kind, row.*reference));
    }
  }
  return {};
}

Status check_links(const System& system) {
  std::int64_t width = 1;
  for (const LinkLevel& level : system.links) {
    if (level.group_size <= width) {
      return broken(system.id, "links: each group must be wider than the one before");
    }
    width = level.group_size;
  }
  if (!is_pod(system) && width != system.gpus) {
    return broken(system.id, fmt::format("links reach {} of {} GPUs", width, system.gpus));
  }
  if (system.gpus_max < system.gpus) {
    return broken(system.id, "gpus_max is below gpus");
  }
  return {};
}

Status check_systems(const Catalog& catalog, const Names& gpus) {
  for (const System& system : catalog.systems) {
    if (!is_pod(system) && !gpus.contains(system.gpu_id)) {
      return broken(system.id, fmt::format("there is no gpu \"{}\"", system.gpu_id));
    }
    if (Status status = check_links(system); !status) {
      return status;
    }
  }
  return {};
}

template <class Point, class Less>
bool rises(std::span<const Point> points, Less less) {
  return std::adjacent_find(
             points.begin(), points.end(), [&](const Point& a, const Point& b) { return !less(a, b); }) == points.end();
}

Status check_measured(const Catalog& catalog) {
  for (const GemmSurface& surface : catalog.gemm_surfaces) {
    const auto by_m = [](const GemmPoint& a, const GemmPoint& b) { return a.log2_m < b.log2_m; };
    for (const GemmColumn& column : surface.columns) {
      if (!rises(column.points, by_m)) {
        return broken(surface.gpu_id, "GEMM points must rise in m");
      }
    }
  }
  for (const AttentionSurface& surface : catalog.attention_surfaces) {
    const auto by_place = [](const AttentionPoint& a, const AttentionPoint& b) {
      return std::pair{a.log2_sequence_length, a.log2_batch_times_heads} <
             std::pair{b.log2_sequence_length, b.log2_batch_times_heads};
    };
    if (!rises(surface.points, by_place)) {
      return broken(surface.gpu_id, "attention points must rise in length, then batch x heads");
    }
  }
  for (const CollectiveCurve& curve : catalog.collective_curves) {
    if (!rises(curve.points, [](const auto& a, const auto& b) { return a.log2_bytes < b.log2_bytes; })) {
      return broken(curve.gpu_id, "points of a collective must rise in size");
    }
  }
  return {};
}

Status check_candidates(const PriceGpu& row, const Names& gpus) {
  for (std::string_view rest = row.candidates; !rest.empty();) {
    const std::string_view id = rest.substr(0, rest.find(' '));
    if (!gpus.contains(id)) {
      return broken(row.price_gpu_id, fmt::format("candidates: there is no gpu \"{}\"", id));
    }
    rest.remove_prefix(std::min(id.size() + 1, rest.size()));
  }
  return {};
}

Status check_price_gpus(const Catalog& catalog, const Names& gpus) {
  for (const PriceGpu& row : catalog.price_gpus) {
    if (row.gpu_id.empty() && row.reason.empty()) {
      return broken(row.price_gpu_id, "means no GPU, but gives no reason");
    }
    if (!row.gpu_id.empty() && !gpus.contains(row.gpu_id)) {
      return broken(row.price_gpu_id, fmt::format("there is no gpu \"{}\"", row.gpu_id));
    }
    if (Status status = check_candidates(row, gpus); !status) {
      return status;
    }
  }
  return {};
}

}  // namespace

Status check_tables(const Catalog& catalog) {
  const Names gpus = names_of(catalog.gpus, &Gpu::id);
  const Names providers = names_of(catalog.providers, &Provider::id);
  const Names price_gpus = names_of(catalog.price_gpus, &PriceGpu::price_gpu_id);
  const Status checks[] = {
      each_exists(catalog.gpu_aliases, &GpuAlias::gpu_id, &GpuAlias::alias, gpus, "gpu"),
      each_exists(catalog.systems, &System::provider, &System::id, providers, "provider"),
      each_exists(catalog.prices, &Price::provider, &Price::id, providers, "provider"),
      each_exists(catalog.prices, &Price::gpu_id, &Price::id, price_gpus, "price_gpu (prices/gpu_ids.csv)"),
      check_price_gpus(catalog, gpus),
      check_systems(catalog, gpus),
      check_measured(catalog),
  };
  const auto bad = std::find_if(std::begin(checks), std::end(checks), [](const Status& status) { return !status; });
  return bad == std::end(checks) ? Status{} : *bad;
}

}  // namespace mekiki
