#include "catalog/rows/emit.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "catalog/rows/fields.h"
#include "catalog/rows/row_text.h"

namespace mekiki {
namespace {

constexpr std::string_view kPrologue = R"(// Generated from data/ by embed_catalog. Do not edit.
#include <array>

#include "catalog/bundled_parts.h"

namespace mekiki::bundled {
namespace {

// The enumerator of this name, of whichever enum the member has.
struct Choice {
  std::string_view name;
  template <class E>
  requires std::is_enum_v<E>
  constexpr operator E() const { return *enum_from_name<E>(name); }  // NOLINT(google-explicit-constructor)
};

)";

constexpr std::string_view kEpilogue = "\n}  // namespace mekiki::bundled\n";

std::string_view cpp_type(const LinkLevel&) {
  return "LinkLevel";
}
std::string_view cpp_type(const Gpu&) {
  return "Gpu";
}
std::string_view cpp_type(const GpuAlias&) {
  return "GpuAlias";
}
std::string_view cpp_type(const System&) {
  return "System";
}
std::string_view cpp_type(const Provider&) {
  return "Provider";
}
std::string_view cpp_type(const Source&) {
  return "Source";
}
std::string_view cpp_type(const Price&) {
  return "Price";
}
std::string_view cpp_type(const PriceGpu&) {
  return "PriceGpu";
}

// A string_view with its length: the compiler need not count, and a NUL ends nothing.
std::string view_literal(std::string_view text) {
  return fmt::format("{{{}, {}}}", string_literal(text), text.size());
}

// Arrays that rows point into. Equal ones are written once.
class ArrayPool {
 public:
  /// Name of an array with these elements ("{}" for none).
  std::string name_of(std::string_view type, const std::vector<std::string>& elements) {
    if (elements.empty()) {
      return "{}";
    }
    std::string body = fmt::format("std::array<{}, {}> ", type, elements.size());
    std::string list;
    for (const std::string& element : elements) {
      list += element + ", ";
    }
    const auto [place, is_new] = names_.emplace(body + list, names_.size());
    std::string name = fmt::format("kList{}", place->second);
    if (is_new) {
      definitions_ += fmt::format("constexpr {}{} = {{{{{}}}}};\n", body, name, list);
    }
    return name;
  }

  const std::string& definitions() const { return definitions_; }

 private:
  std::map<std::string, std::size_t> names_;
  std::string definitions_;
};

// A visitor of Fields that writes the row as an aggregate initialiser.
class CppWriter {
 public:
  explicit CppWriter(ArrayPool& pool) : pool_(pool) {}

  std::string take() { return "{" + result_ + "}"; }

  void text(std::string_view, Name value, Presence, std::string_view) { put(view_literal(value)); }
  template <class T>
  void number(std::string_view, const T& value, const Unit&, std::string_view) {
    put(cpp(value));
  }
  template <class E>
  void choice(std::string_view, E value, std::string_view) {
    put(fmt::format("Choice{{\"{}\"}}", enum_name(value)));
  }
  template <class T>
  void date(std::string_view, const T& value, std::string_view) {
    put(cpp(value));
  }
  void names(std::string_view, std::span<const Name> values, std::string_view) {
    std::vector<std::string> elements;
    for (const Name value : values) {
      elements.push_back(view_literal(value));
    }
    put(pool_.name_of("Name", elements));
  }
  template <class Row>
  void list(std::string_view, std::span<const Row> rows, std::string_view) {
    std::vector<std::string> elements;
    for (const Row& row : rows) {
      CppWriter writer(pool_);
      Fields<Row>::visit(writer, row);
      elements.push_back(writer.take());
    }
    put(pool_.name_of(cpp_type(Row{}), elements));
  }
  void begin_group() { result_ += "{"; }
  void end_group() { result_ += "}, "; }

 private:
  void put(std::string_view value) {
    result_ += value;
    result_ += ", ";
  }

  static std::string cpp(std::int64_t value) { return fmt::to_string(value); }
  static std::string cpp(double value) { return double_literal(value); }
  static std::string cpp(Date value) { return fmt::format("Date{{{}}}", value.days); }
  template <Dimension D>
  static std::string cpp(Quantity<D> value) {
    return fmt::format("Quantity<Dimension{{{}, {}, {}, {}, {}}}>{{{}}}",
                       D.byte,
                       D.second,
                       D.flop,
                       D.token,
                       D.usd,
                       double_literal(value.base()));
  }
  template <class T>
  static std::string cpp(const std::optional<T>& value) {
    return value ? cpp(*value) : "std::nullopt";
  }

  ArrayPool& pool_;
  std::string result_;
};

template <class Row>
std::string emit_table(std::string_view name, std::span<const Row> rows, ArrayPool& pool) {
  std::string text = fmt::format("constexpr std::array<{}, {}> {} = {{{{\n", cpp_type(Row{}), rows.size(), name);
  for (const Row& row : rows) {
    CppWriter writer(pool);
    Fields<Row>::visit(writer, row);
    text += "    " + writer.take() + ",\n";
  }
  return text + "}};\n\n";
}

std::string float_literal(float value) {
  return double_literal(static_cast<double>(value)) + "f";
}

std::string emit_gemm(std::span<const GemmSurface> surfaces, ArrayPool& pool) {
  std::string text = fmt::format("constexpr std::array<GemmSurface, {}> kGemmRows = {{{{\n", surfaces.size());
  for (const GemmSurface& surface : surfaces) {
    std::vector<std::string> columns;
    for (const GemmColumn& column : surface.columns) {
      std::vector<std::string> points;
      for (const GemmPoint& p : column.points) {
        points.push_back(fmt::format("{{{}, {}}}", float_literal(p.log2_m), float_literal(p.efficiency)));
      }
      columns.push_back(fmt::format("{{{}, {}, {}}}",
                                    float_literal(column.log2_n),
                                    float_literal(column.log2_k),
                                    pool.name_of("GemmPoint", points)));
    }
    text += fmt::format("    {{{}, Choice{{\"{}\"}}, {}, {}, {}}},\n",
                        view_literal(surface.gpu_id),
                        enum_name(surface.dtype),
                        surface.block_scaled,
                        pool.name_of("GemmColumn", columns),
                        view_literal(surface.source));
  }
  return text + "}};\n\n";
}

std::string emit_attention(std::span<const AttentionSurface> surfaces, ArrayPool& pool) {
  std::string text = fmt::format("constexpr std::array<AttentionSurface, {}> kAttentionRows = {{{{\n", surfaces.size());
  for (const AttentionSurface& surface : surfaces) {
    std::vector<std::string> points;
    for (const AttentionPoint& p : surface.points) {
      points.push_back(fmt::format("{{{}, {}, {}}}",
                                   float_literal(p.log2_sequence_length),
                                   float_literal(p.log2_batch_times_heads),
                                   float_literal(p.tflop_per_second)));
    }
    text += fmt::format("    {{{}, {}, {}, {}, {}}},\n",
                        view_literal(surface.gpu_id),
                        surface.head_dim,
                        surface.grouped,
                        pool.name_of("AttentionPoint", points),
                        view_literal(surface.source));
  }
  return text + "}};\n\n";
}

std::string emit_collectives(std::span<const CollectiveCurve> curves, ArrayPool& pool) {
  std::string text = fmt::format("constexpr std::array<CollectiveCurve, {}> kCollectiveRows = {{{{\n", curves.size());
  for (const CollectiveCurve& curve : curves) {
    std::vector<std::string> points;
    for (const CollectivePoint& p : curve.points) {
      points.push_back(fmt::format("{{{}, {}}}", float_literal(p.log2_bytes), float_literal(p.log2_seconds)));
    }
    text += fmt::format("    {{{}, Choice{{\"{}\"}}, {}, {}, {}, {}}},\n",
                        view_literal(curve.gpu_id),
                        enum_name(curve.collective),
                        curve.ranks,
                        view_literal(curve.library),
                        pool.name_of("CollectivePoint", points),
                        view_literal(curve.source));
  }
  return text + "}};\n\n";
}

}  // namespace

std::string emit_rows(const Catalog& catalog) {
  ArrayPool pool;
  std::string tables = emit_table("kGpus", catalog.gpus, pool) + emit_table("kGpuAliases", catalog.gpu_aliases, pool) +
                       emit_table("kSystems", catalog.systems, pool) +
                       emit_table("kProviders", catalog.providers, pool) +
                       emit_table("kSources", catalog.sources, pool) + emit_table("kPrices", catalog.prices, pool) +
                       emit_table("kPriceGpus", catalog.price_gpus, pool);
  return std::string(kPrologue) + pool.definitions() + tables +
         fmt::format(
             "}}  // namespace\n\nconstinit const RowTables kRowTables = {{\n"
             "    kGpus, kGpuAliases, kSystems, kProviders, kSources, kPrices, kPriceGpus, \"{}\"}};\n",
             catalog.digest) +
         std::string(kEpilogue);
}

std::string emit_measured(const Catalog& catalog) {
  ArrayPool pool;
  const std::string tables = emit_gemm(catalog.gemm_surfaces, pool) + emit_attention(catalog.attention_surfaces, pool) +
                             emit_collectives(catalog.collective_curves, pool);
  return std::string(kPrologue) + pool.definitions() + tables +
         "}  // namespace\n\nconstinit const MeasuredTables kMeasuredTables = {kGemmRows, kAttentionRows, "
         "kCollectiveRows};\n" +
         std::string(kEpilogue);
}

std::string emit_documents(std::span<const Document> documents) {
  std::string text(kPrologue);
  text += fmt::format("constexpr std::array<Document, {}> kDocumentRows = {{{{\n", documents.size());
  for (const Document& document : documents) {
    text += fmt::format("    {{{},\n{}}},\n", view_literal(document.path), view_literal(document.text));
  }
  text += "}};\n\n}  // namespace\n\nconstinit const std::span<const Document> kDocuments = kDocumentRows;\n";
  return text + std::string(kEpilogue);
}

}  // namespace mekiki
