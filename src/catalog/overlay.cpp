#include "catalog/overlay.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text_position.h"
#include "catalog/catalog.h"
#include "catalog/rows/check.h"
#include "catalog/rows/fields.h"
#include "catalog/rows/row_set.h"
#include "catalog/rows/row_text.h"

namespace mekiki {
namespace {

// By what two rows are the same row.
template <class Row>
auto key_of(const Row& row) {
  return row_key(row);
}
auto key_of(const GpuAlias& row) {
  return std::tuple(row.alias, row.gpu_id, row.where);
}
auto key_of(const PriceGpu& row) {
  return std::pair(row.price_gpu_id, row.sku);
}
auto key_of(const GemmSurface& row) {
  return std::tuple(row.gpu_id, row.dtype, row.block_scaled);
}
auto key_of(const AttentionSurface& row) {
  return std::tuple(row.gpu_id, row.head_dim, row.grouped);
}
auto key_of(const CollectiveCurve& row) {
  return std::tuple(row.gpu_id, row.collective, row.ranks, row.library);
}
auto key_of(const Document& row) {
  return row.path;
}

template <class Row>
std::vector<Row> merged(std::span<const Row> base, const std::vector<Row>& over) {
  std::vector<Row> rows(base.begin(), base.end());
  std::map<decltype(key_of(rows.front())), std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    places.emplace(key_of(rows[i]), i);
  }
  for (const Row& row : over) {
    const auto [place, is_new] = places.emplace(key_of(row), rows.size());
    if (is_new) {
      rows.push_back(row);
    } else {
      rows[place->second] = row;
    }
  }
  return rows;
}

// Curves of the overlay go first: of several libraries for one key, the first counts.
std::vector<CollectiveCurve> merged_curves(std::span<const CollectiveCurve> base, std::vector<CollectiveCurve> over) {
  std::vector<CollectiveCurve> rows = merged<CollectiveCurve>(over, {});
  for (const CollectiveCurve& curve : base) {
    const bool replaced =
        std::any_of(over.begin(), over.end(), [&](const auto& row) { return key_of(row) == key_of(curve); });
    if (!replaced) {
      rows.push_back(curve);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const CollectiveCurve& a, const CollectiveCurve& b) {
    return std::tuple(a.gpu_id, a.collective, a.ranks) < std::tuple(b.gpu_id, b.collective, b.ranks);
  });
  return rows;
}

const Gpu* gpu_of(std::span<const Gpu> gpus, std::string_view id) {
  const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.id == id; });
  return found == gpus.end() ? nullptr : &*found;
}

GemmSurface scaled(const GemmSurface& surface, double factor, RowStorage& storage) {
  std::vector<GemmColumn> columns(surface.columns.begin(), surface.columns.end());
  for (GemmColumn& column : columns) {
    std::vector<GemmPoint> points(column.points.begin(), column.points.end());
    for (GemmPoint& point : points) {
      point.efficiency = static_cast<float>(point.efficiency * factor);
    }
    column.points = storage.keep(std::move(points));
  }
  GemmSurface result = surface;
  result.columns = storage.keep(std::move(columns));
  return result;
}

// The base's surfaces as shares of the peaks in force after the overlay.
std::vector<GemmSurface> on_new_peaks(const Catalog& base, std::span<const Gpu> gpus, RowStorage& storage) {
  std::vector<GemmSurface> surfaces(base.gemm_surfaces.begin(), base.gemm_surfaces.end());
  for (GemmSurface& surface : surfaces) {
    const Gpu* before = gpu_of(base.gpus, surface.gpu_id);
    const Gpu* after = gpu_of(gpus, surface.gpu_id);
    const auto old_peak = before != nullptr ? dense_peak(*before, surface.dtype) : std::nullopt;
    const auto new_peak = after != nullptr ? dense_peak(*after, surface.dtype) : std::nullopt;
    if (old_peak && new_peak && *old_peak != *new_peak) {
      surface = scaled(surface, *old_peak / *new_peak, storage);
    }
  }
  return surfaces;
}

struct OwnedCatalog {
  RowSet rows;
  std::vector<Document> documents;
  std::string digest;
  Catalog catalog;
};

// Folders of documents need no rule of their own: what the base keeps there, an overlay may keep there too.
bool is_document(const Catalog& base, const DataFile& file) {
  const Result<DataKind> kind = data_kind(file.path);
  if (kind) {
    return *kind == DataKind::document;
  }
  const std::size_t slash = file.path.find('/');
  const std::string folder = "data/" + file.path.substr(0, slash) + "/";
  return slash != std::string::npos && !documents_under(base, folder).empty();
}

std::vector<DataFile> row_files(const Catalog& base, std::span<const DataFile> files) {
  std::vector<DataFile> rows;
  std::copy_if(files.begin(), files.end(), std::back_inserter(rows), [&](const DataFile& file) {
    return !is_document(base, file);
  });
  return rows;
}

std::vector<Document> documents_of(const Catalog& base, std::span<const DataFile> files, RowStorage& storage) {
  std::vector<Document> documents;
  for (const DataFile& file : files) {
    if (is_document(base, file)) {
      documents.push_back({storage.keep("data/" + file.path), storage.keep(without_byte_order_mark(file.text))});
    }
  }
  return documents;
}

// Puts the base under the rows of the overlay.
void lay_over(const Catalog& base, RowSet& rows) {
  rows.gpus = merged(base.gpus, rows.gpus);
  rows.gpu_aliases = merged(base.gpu_aliases, rows.gpu_aliases);
  rows.systems = merged(base.systems, rows.systems);
  rows.providers = merged(base.providers, rows.providers);
  rows.sources = merged(base.sources, rows.sources);
  rows.prices = merged(base.prices, rows.prices);
  rows.price_gpus = merged(base.price_gpus, rows.price_gpus);
  const std::vector<GemmSurface> gemm = on_new_peaks(base, rows.gpus, rows.storage);
  rows.gemm_surfaces = merged<GemmSurface>(gemm, rows.gemm_surfaces);
  rows.attention_surfaces = merged(base.attention_surfaces, rows.attention_surfaces);
  rows.collective_curves = merged_curves(base.collective_curves, std::move(rows.collective_curves));
  const auto by_key = [](const auto& a, const auto& b) { return key_of(a) < key_of(b); };
  std::sort(rows.gemm_surfaces.begin(), rows.gemm_surfaces.end(), by_key);
  std::sort(rows.attention_surfaces.begin(), rows.attention_surfaces.end(), by_key);
}

}  // namespace

Result<std::shared_ptr<const Catalog>> overlay(const Catalog& base, std::span<const DataFile> files) {
  Result<RowSet> rows = read_rows(row_files(base, files), base.gpus);
  if (!rows) {
    return fail(std::move(rows.error()));
  }
  const auto owned = std::make_shared<OwnedCatalog>();
  owned->rows = std::move(*rows);
  lay_over(base, owned->rows);
  owned->documents = merged(base.documents, documents_of(base, files, owned->rows.storage));
  std::sort(owned->documents.begin(), owned->documents.end(), [](const Document& a, const Document& b) {
    return a.path < b.path;
  });
  owned->catalog = tables_of(owned->rows);
  owned->catalog.documents = owned->documents;
  if (const Status status = check_tables(owned->catalog); !status) {
    return fail(status.error());
  }
  owned->digest = digest_of(owned->catalog);
  owned->catalog.digest = owned->digest;
  return std::shared_ptr<const Catalog>(owned, &owned->catalog);
}

}  // namespace mekiki
