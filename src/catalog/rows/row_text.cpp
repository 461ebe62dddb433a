#include "catalog/rows/row_text.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "catalog/rows/fields.h"

namespace mekiki {
namespace {

// A visitor of Fields. A text carries its length, so that no text can imitate a neighbour.
class CanonicalWriter {
 public:
  std::string result;

  void text(std::string_view key, Name value, Presence, std::string_view) { put(key, value); }

  template <class T>
  void number(std::string_view key, const T& value, const Unit&, std::string_view) {
    put(key, number_text(value));
  }
  template <class E>
  void choice(std::string_view key, E value, std::string_view) {
    put(key, enum_name(value));
  }
  void date(std::string_view key, Date value, std::string_view) { put(key, fmt::to_string(value.days)); }
  void date(std::string_view key, const std::optional<Date>& value, std::string_view) {
    put(key, value ? fmt::to_string(value->days) : "");
  }
  void names(std::string_view key, std::span<const Name> values, std::string_view) {
    for (const Name value : values) {
      put(key, value);
    }
  }
  template <class Row>
  void list(std::string_view key, std::span<const Row> rows, std::string_view) {
    for (const Row& row : rows) {
      put(key, canonical_text(row));
    }
  }
  void begin_group() {}
  void end_group() {}

 private:
  void put(std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(result), "{}={}:{};", key, value.size(), value);
  }

  static std::string number_text(std::int64_t value) { return fmt::to_string(value); }
  static std::string number_text(double value) { return fmt::format("{:.17g}", value); }
  template <Dimension D>
  static std::string number_text(Quantity<D> value) {
    return number_text(value.base());
  }
  template <class T>
  static std::string number_text(const std::optional<T>& value) {
    return value ? number_text(*value) : std::string{};
  }
};

class Fnv {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

template <class Row>
void add_rows(std::span<const Row> rows, std::vector<std::string>& texts) {
  for (const Row& row : rows) {
    texts.push_back(fmt::format("{} {}", Fields<Row>::kKind, canonical_text(row)));
  }
}

std::string surface_text(const GemmSurface& surface) {
  std::string text =
      fmt::format("gemm {} {} {} {}", surface.gpu_id, enum_name(surface.dtype), surface.block_scaled, surface.source);
  for (const GemmColumn& column : surface.columns) {
    fmt::format_to(std::back_inserter(text), " {:.9g},{:.9g}:", column.log2_n, column.log2_k);
    for (const GemmPoint& point : column.points) {
      fmt::format_to(std::back_inserter(text), "{:.9g},{:.9g};", point.log2_m, point.efficiency);
    }
  }
  return text;
}

std::string surface_text(const AttentionSurface& surface) {
  std::string text =
      fmt::format("attention {} {} {} {}", surface.gpu_id, surface.head_dim, surface.grouped, surface.source);
  for (const AttentionPoint& p : surface.points) {
    fmt::format_to(std::back_inserter(text),
                   " {:.9g},{:.9g},{:.9g}",
                   p.log2_sequence_length,
                   p.log2_batch_times_heads,
                   p.tflop_per_second);
  }
  return text;
}

std::string surface_text(const CollectiveCurve& curve) {
  std::string text = fmt::format(
      "collective {} {} {} {} {}", curve.gpu_id, enum_name(curve.collective), curve.ranks, curve.library, curve.source);
  for (const CollectivePoint& point : curve.points) {
    fmt::format_to(std::back_inserter(text), " {:.9g},{:.9g}", point.log2_bytes, point.log2_seconds);
  }
  return text;
}

// A visible character that means itself inside a literal, and cannot complete a trigraph.
bool is_plain(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
}

}  // namespace

template <class Row>
std::string canonical_text(const Row& row) {
  CanonicalWriter writer;
  Fields<Row>::visit(writer, row);
  return std::move(writer.result);
}

template std::string canonical_text(const LinkLevel&);
template std::string canonical_text(const Gpu&);
template std::string canonical_text(const GpuAlias&);
template std::string canonical_text(const System&);
template std::string canonical_text(const Provider&);
template std::string canonical_text(const Source&);
template std::string canonical_text(const Price&);
template std::string canonical_text(const PriceGpu&);

std::string digest_of(const Catalog& catalog) {
  std::vector<std::string> texts;
  add_rows(catalog.gpus, texts);
  add_rows(catalog.gpu_aliases, texts);
  add_rows(catalog.systems, texts);
  add_rows(catalog.providers, texts);
  add_rows(catalog.sources, texts);
  add_rows(catalog.prices, texts);
  add_rows(catalog.price_gpus, texts);
  for (const GemmSurface& surface : catalog.gemm_surfaces) {
    texts.push_back(surface_text(surface));
  }
  for (const AttentionSurface& surface : catalog.attention_surfaces) {
    texts.push_back(surface_text(surface));
  }
  for (const CollectiveCurve& curve : catalog.collective_curves) {
    texts.push_back(surface_text(curve));
  }
  for (const Document& document : catalog.documents) {
    texts.push_back(fmt::format("document {} {}:{}", document.path, document.text.size(), document.text));
  }
  std::sort(texts.begin(), texts.end());
  Fnv hash;
  for (const std::string& text : texts) {
    hash.add(text);
    hash.add("\n");
  }
  return fmt::format("{:016x}", hash.value());
}

std::string double_literal(double value) {
  std::string text = fmt::format("{:.17g}", value);
  if (text.find_first_of(".en") == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  std::size_t line_length = 0;
  for (const char c : text) {
    if (line_length > 4000 || (c == '\n' && line_length > 0 && literal.back() != '"')) {
      literal += c == '\n' ? "\\n\"\n\"" : "\"\n\"";
      line_length = 0;
      if (c == '\n') {
        continue;
      }
    }
    if (is_plain(c)) {
      literal += c;
    } else {
      fmt::format_to(std::back_inserter(literal), "\\{:03o}", static_cast<unsigned char>(c));
    }
    ++line_length;
  }
  return literal + '"';
}

}  // namespace mekiki
