// Look-ups in a catalogue. Names that people and tools write are matched as whole texts, case ignored, never as parts:
// a name must not find another that it is a part of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/rows/tables.h"

namespace mekiki {

/// The tables compiled into the program. They cost nothing at start: no parsing, no allocation.
const Catalog& bundled_catalog();

/// Whether two texts are one name: spaces, hyphens, underscores and case are how a writer spells it.
bool same_name(std::string_view a, std::string_view b);

/// By id, else by name or alias. Errors: not_found with near names; conflict where the text fits several GPUs (a name
/// sold as SXM board and as PCIe card), with the candidates. A name that a tool has cut ("NVIDIA GeForce ...") fits all
/// that begin so.
Result<const Gpu*> find_gpu(const Catalog& catalog, std::string_view text);

/// The GPUs that a text may mean, in the order of the catalogue; empty: none.
std::vector<const Gpu*> gpus_named(const Catalog& catalog, std::string_view text);

/// By id, or by the provider's name of the instance. Errors as for find_gpu.
Result<const System*> find_system(const Catalog& catalog, std::string_view text);

/// By id, name or alias. Errors: not_found with near names.
Result<const Provider*> find_provider(const Catalog& catalog, std::string_view text);

/// Systems made of this GPU, in the order of the catalogue; pods that take any GPU are not among them.
std::vector<const System*> systems_with_gpu(const Catalog& catalog, std::string_view gpu_id);

/// The measured surface of matrix products; null where nothing was measured. Formats without a choice of scaling ignore
/// `block_scaled`.
const GemmSurface* gemm_surface(const Catalog& catalog,
                                std::string_view gpu_id,
                                Dtype dtype,
                                bool block_scaled = false);

/// All measured attention surfaces of this GPU.
std::span<const AttentionSurface> attention_surfaces(const Catalog& catalog, std::string_view gpu_id);

/// All measured curves of this GPU, by collective, ranks, newest library first.
std::span<const CollectiveCurve> collective_curves(const Catalog& catalog, std::string_view gpu_id);

/// The newest curve for exactly this number of ranks; null where nothing was measured.
const CollectiveCurve* collective_curve(const Catalog& catalog,
                                        std::string_view gpu_id,
                                        Collective collective,
                                        std::int64_t ranks);

/// Text of a document by its path ("data/messages/en.json"); unset: there is none.
std::optional<std::string_view> find_document(const Catalog& catalog, std::string_view path);

/// Documents whose path begins so, by path.
std::span<const Document> documents_under(const Catalog& catalog, std::string_view prefix);

/// The same two on what is compiled in.
std::optional<std::string_view> embedded_document(std::string_view path);
std::span<const Document> embedded_documents(std::string_view prefix);

}  // namespace mekiki
