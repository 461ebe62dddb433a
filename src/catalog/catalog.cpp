#include "catalog/catalog.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "base/did_you_mean.h"

namespace mekiki {
namespace {

bool is_separator(char letter) {
  return letter == ' ' || letter == '-' || letter == '_';
}

// Spaces, hyphens and case are how a writer spells a name, not part of it.
std::string folded(std::string_view name) {
  std::string text;
  for (const char letter : name) {
    if (!is_separator(letter)) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
  }
  return text;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return folded(a) == folded(b);
}

namespace {

constexpr std::string_view kCut = "...";  // nvidia-smi's tables cut long names so

// Whether the text means the name; a cut text means all names that begin so.
bool means(std::string_view text, std::string_view name) {
  if (text.size() > kCut.size() && text.ends_with(kCut)) {
    return folded(name).starts_with(folded(text.substr(0, text.size() - kCut.size())));
  }
  return same_name(text, name);
}

template <class Row>
const Row* by_id(std::span<const Row> rows, std::string_view id) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return same_name(row.id, id); });
  return found == rows.end() ? nullptr : &*found;
}

template <class Row>
std::string ids_of(const std::vector<const Row*>& rows) {
  std::string text;
  for (const Row* row : rows) {
    text += (text.empty() ? "" : ", ") + std::string(row->id);
  }
  return text;
}

template <class Row>
Error ambiguous(std::string_view kind, std::string_view text, const std::vector<const Row*>& candidates) {
  return {ErrorCode::conflict,
          std::string(kind),
          fmt::format("\"{}\" may be {}", text, ids_of(candidates)),
          "name one of them"};
}

Error unknown(std::string_view kind, std::string_view text, std::span<const std::string_view> names) {
  std::string hint = did_you_mean(text, names);
  if (hint.empty()) {
    hint = fmt::format("`mekiki {}s` lists them", kind);
  }
  return {ErrorCode::not_found, std::string(kind), fmt::format("there is no {} \"{}\"", kind, text), std::move(hint)};
}

template <class Row>
Result<const Row*> only_one(std::string_view kind,
                            std::string_view text,
                            const std::vector<const Row*>& candidates,
                            std::span<const std::string_view> names) {
  if (candidates.empty()) {
    return fail(unknown(kind, text, names));
  }
  if (candidates.size() > 1) {
    return fail(ambiguous(kind, text, candidates));
  }
  return candidates.front();
}

// The run of rows of one GPU in a table sorted by GPU.
template <class Row>
std::span<const Row> of_gpu(std::span<const Row> rows, std::string_view gpu_id) {
  const auto first = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.gpu_id == gpu_id; });
  const auto last = std::find_if(first, rows.end(), [&](const Row& row) { return row.gpu_id != gpu_id; });
  return {first, last};
}

}  // namespace

std::vector<const Gpu*> gpus_named(const Catalog& catalog, std::string_view text) {
  if (const Gpu* gpu = by_id(catalog.gpus, text)) {
    return {gpu};
  }
  std::vector<const Gpu*> found;
  for (const Gpu& gpu : catalog.gpus) {
    const bool aliased =
        std::any_of(catalog.gpu_aliases.begin(), catalog.gpu_aliases.end(), [&](const GpuAlias& alias) {
          return alias.gpu_id == gpu.id && means(text, alias.alias);
        });
    if (aliased || means(text, gpu.name)) {
      found.push_back(&gpu);
    }
  }
  return found;
}

Result<const Gpu*> find_gpu(const Catalog& catalog, std::string_view text) {
  std::vector<std::string_view> names;
  const std::vector<const Gpu*> found = gpus_named(catalog, text);
  if (found.empty()) {
    for (const Gpu& gpu : catalog.gpus) {
      names.insert(names.end(), {gpu.id, gpu.name});
    }
  }
  return only_one("gpu", text, found, names);
}

Result<const System*> find_system(const Catalog& catalog, std::string_view text) {
  if (const System* system = by_id(catalog.systems, text)) {
    return system;
  }
  std::vector<const System*> found;
  std::vector<std::string_view> names;
  for (const System& system : catalog.systems) {
    names.insert(names.end(), {system.id, system.instance});
    if (same_name(text, system.instance)) {
      found.push_back(&system);
    }
  }
  return only_one("system", text, found, names);
}

Result<const Provider*> find_provider(const Catalog& catalog, std::string_view text) {
  std::vector<const Provider*> found;
  std::vector<std::string_view> names;
  for (const Provider& provider : catalog.providers) {
    const auto fits = [&](std::string_view name) { return same_name(text, name); };
    names.insert(names.end(), {provider.id, provider.name});
    names.insert(names.end(), provider.aliases.begin(), provider.aliases.end());
    if (fits(provider.id) || fits(provider.name) ||
        std::any_of(provider.aliases.begin(), provider.aliases.end(), fits)) {
      found.push_back(&provider);
    }
  }
  return only_one("provider", text, found, names);
}

std::vector<const System*> systems_with_gpu(const Catalog& catalog, std::string_view gpu_id) {
  std::vector<const System*> found;
  for (const System& system : catalog.systems) {
    if (system.gpu_id == gpu_id) {
      found.push_back(&system);
    }
  }
  return found;
}

const GemmSurface* gemm_surface(const Catalog& catalog, std::string_view gpu_id, Dtype dtype, bool block_scaled) {
  const bool has_choice = dtype == Dtype::fp8;
  for (const GemmSurface& surface : of_gpu(catalog.gemm_surfaces, gpu_id)) {
    if (surface.dtype == dtype && (!has_choice || surface.block_scaled == block_scaled)) {
      return &surface;
    }
  }
  return nullptr;
}

std::span<const AttentionSurface> attention_surfaces(const Catalog& catalog, std::string_view gpu_id) {
  return of_gpu(catalog.attention_surfaces, gpu_id);
}

std::span<const CollectiveCurve> collective_curves(const Catalog& catalog, std::string_view gpu_id) {
  return of_gpu(catalog.collective_curves, gpu_id);
}

const CollectiveCurve* collective_curve(const Catalog& catalog,
                                        std::string_view gpu_id,
                                        Collective collective,
                                        std::int64_t ranks) {
  for (const CollectiveCurve& curve : collective_curves(catalog, gpu_id)) {
    if (curve.collective == collective && curve.ranks == ranks) {
      return &curve;
    }
  }
  return nullptr;
}

std::optional<std::string_view> find_document(const Catalog& catalog, std::string_view path) {
  const auto found = std::lower_bound(
      catalog.documents.begin(), catalog.documents.end(), path, [](const Document& document, std::string_view p) {
        return document.path < p;
      });
  if (found == catalog.documents.end() || found->path != path) {
    return std::nullopt;
  }
  return found->text;
}

std::span<const Document> documents_under(const Catalog& catalog, std::string_view prefix) {
  const auto first = std::lower_bound(
      catalog.documents.begin(), catalog.documents.end(), prefix, [](const Document& document, std::string_view p) {
        return document.path < p;
      });
  const auto last = std::find_if(
      first, catalog.documents.end(), [&](const Document& document) { return !document.path.starts_with(prefix); });
  return {first, last};
}

std::optional<std::string_view> embedded_document(std::string_view path) {
  return find_document(bundled_catalog(), path);
}

std::span<const Document> embedded_documents(std::string_view prefix) {
  return documents_under(bundled_catalog(), prefix);
}

}  // namespace mekiki
