#include "catalog/rows/measured_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/amount.h"

namespace mekiki {
namespace {

// Reads the fields of one line by column name. A line that fails any read is reported by its first failure.
class Line {
 public:
  Line(const CsvTable& table, const CsvRow& row, std::string_view where) : table_(table), row_(row), where_(where) {}

  std::string_view text(std::string_view column) {
    const auto index = column_of(table_, column);
    if (!index) {
      refuse(column, "this column is missing");
      return {};
    }
    return row_.fields[*index];
  }

  double positive(std::string_view column) {
    const std::string_view field = text(column);
    const Result<double> value = parse_number(field);
    if (!value || !(*value > 0.0) || *value > 1e15) {
      refuse(column, fmt::format("\"{}\" is not a positive number", field));
      return 1.0;
    }
    return *value;
  }

  std::int64_t count(std::string_view column) {
    const double value = positive(column);
    if (value != std::floor(value)) {
      refuse(column, fmt::format("{} is not a whole number", value));
    }
    return static_cast<std::int64_t>(value);
  }

  template <class E>
  E choice(std::string_view column) {
    const std::string_view field = text(column);
    const std::optional<E> value = enum_from_name<E>(field);
    if (!value) {
      refuse(column, fmt::format("\"{}\" is not known here", field));
    }
    return value.value_or(E{});
  }

  void refuse(std::string_view column, std::string message) {
    if (!error_) {
      error_ =
          Error{ErrorCode::invalid_input, fmt::format("{}:{}:{}", where_, row_.line, column), std::move(message), {}};
    }
  }

  Status status() const {
    if (error_) {
      return fail(*error_);
    }
    return {};
  }

 private:
  const CsvTable& table_;
  const CsvRow& row_;
  std::string_view where_;
  std::optional<Error> error_;
};

float log2_of(double value) {
  return static_cast<float>(std::log2(value));
}

// Ties the reading of one line to its place in a map of groups; the first error ends it.
template <class Read>
Status for_each_line(const CsvTable& table, std::string_view where, Read read) {
  for (const CsvRow& row : table.rows) {
    Line line(table, row, where);
    read(line);
    if (Status status = line.status(); !status) {
      return status;
    }
  }
  return {};
}

Status no_other_columns(const CsvTable& table, std::string_view where, std::size_t expected) {
  if (table.header.size() != expected) {
    return fail({ErrorCode::invalid_input,
                 std::string(where),
                 fmt::format("{} columns where {} are known", table.header.size(), expected),
                 "see data/README.md"});
  }
  return {};
}

struct MColumn {
  std::string name;
  double m = 0;
};

// The columns "m128", "m256", ... of a GEMM table, in order.
Result<std::vector<MColumn>> m_columns(const CsvTable& table, std::string_view where) {
  std::vector<MColumn> columns;
  for (std::size_t i = 4; i < table.header.size(); ++i) {
    const std::string& name = table.header[i];
    const Result<double> m = parse_number(std::string_view(name).substr(1));
    if (name[0] != 'm' || !m || *m < 1 || (!columns.empty() && *m <= columns.back().m)) {
      return fail({ErrorCode::invalid_input,
                   fmt::format("{}:1:{}", where, name),
                   "is no column of a GEMM table",
                   "columns after k are m1, m2, ... ascending"});
    }
    columns.push_back({name, *m});
  }
  return columns;
}

struct GemmKey {
  Dtype dtype;
  bool block_scaled;
  auto operator<=>(const GemmKey&) const = default;
};

using GemmColumns = std::map<GemmKey, std::map<std::pair<double, double>, std::vector<GemmPoint>>>;

enum class Scaling : std::uint8_t { plain, tensor, block };

std::optional<Scaling> scaling_of(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames = {"plain", "tensor", "block"};
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  return found == kNames.end() ? std::nullopt : std::optional(static_cast<Scaling>(found - kNames.begin()));
}

void read_gemm_line(Line& line, const std::vector<MColumn>& columns, const Gpu& gpu, GemmColumns& surfaces) {
  const Dtype dtype = line.choice<Dtype>("dtype");
  const std::optional<Scaling> scaling = scaling_of(line.text("scaling"));
  if (!scaling) {
    return line.refuse("scaling", "is not plain, tensor or block");
  }
  const std::optional<FlopsPerSecond> peak = dense_peak(gpu, dtype);
  if (!peak) {
    return line.refuse("dtype", fmt::format("{} has no peak in this format", gpu.id));
  }
  auto& points = surfaces[{dtype, *scaling == Scaling::block}][{line.positive("n"), line.positive("k")}];
  if (!points.empty()) {
    return line.refuse("n", "this shape is given twice");
  }
  for (const MColumn& column : columns) {
    const double efficiency = line.positive(column.name) * kTflopPerSecond / *peak;
    points.push_back({log2_of(column.m), static_cast<float>(efficiency)});
  }
}

}  // namespace

Result<std::vector<MeasuredFile>> read_measured_list(const CsvTable& table,
                                                     std::string_view where,
                                                     RowStorage& storage) {
  std::vector<MeasuredFile> files;
  const Status status = for_each_line(table, where, [&](Line& line) {
    const auto keep = [&](std::string_view column) { return storage.keep(line.text(column)); };
    files.push_back({keep("file"), keep("gpu_id"), keep("source"), keep("notes")});
    if (files.back().file.empty() || files.back().source.empty()) {
      line.refuse("source", "a measured table needs a file and a source");
    }
  });
  if (!status) {
    return fail(status.error());
  }
  return files;
}

Result<std::vector<GemmSurface>> read_gemm(const CsvTable& table,
                                           const MeasuredFile& file,
                                           const Gpu& gpu,
                                           RowStorage& storage) {
  const Result<std::vector<MColumn>> columns = m_columns(table, file.file);
  if (!columns) {
    return fail(columns.error());
  }
  GemmColumns surfaces;
  const Status status =
      for_each_line(table, file.file, [&](Line& line) { read_gemm_line(line, *columns, gpu, surfaces); });
  if (!status) {
    return fail(status.error());
  }
  std::vector<GemmSurface> result;
  for (auto& [key, shapes] : surfaces) {
    std::vector<GemmColumn> kept;
    for (auto& [shape, points] : shapes) {
      kept.push_back({log2_of(shape.first), log2_of(shape.second), storage.keep(std::move(points))});
    }
    result.push_back({gpu.id, key.dtype, key.block_scaled, storage.keep(std::move(kept)), file.source});
  }
  return result;
}

Result<std::vector<AttentionSurface>> read_attention(const CsvTable& table,
                                                     const MeasuredFile& file,
                                                     RowStorage& storage) {
  struct Sum {
    double tflop_per_second = 0;
    int rows = 0;
  };
  using Key = std::pair<std::int64_t, bool>;                                   // head_dim, grouped
  std::map<Key, std::map<std::pair<std::int64_t, std::int64_t>, Sum>> groups;  // sequence length, batch x heads
  const Status shape = no_other_columns(table, file.file, 6);
  const Status lines = for_each_line(table, file.file, [&](Line& line) {
    const std::int64_t heads = line.count("q_heads");
    const bool grouped = line.count("kv_heads") < heads;
    Sum& sum = groups[{line.count("head_dim"), grouped}][{line.count("sequence_length"), line.count("batch") * heads}];
    sum.tflop_per_second += line.positive("tflop_per_s");
    ++sum.rows;
  });
  if (!shape || !lines) {
    return fail(shape ? lines.error() : shape.error());
  }
  std::vector<AttentionSurface> surfaces;
  for (const auto& [key, sums] : groups) {
    std::vector<AttentionPoint> points;
    for (const auto& [place, sum] : sums) {
      points.push_back({log2_of(static_cast<double>(place.first)),
                        log2_of(static_cast<double>(place.second)),
                        static_cast<float>(sum.tflop_per_second / sum.rows)});
    }
    surfaces.push_back({file.gpu_id, key.first, key.second, storage.keep(std::move(points)), file.source});
  }
  return surfaces;
}

Result<std::vector<CollectiveCurve>> read_collectives(const CsvTable& table,
                                                      const MeasuredFile& file,
                                                      RowStorage& storage) {
  std::vector<Name> libraries;                                    // in order of appearance
  using Key = std::tuple<Collective, std::int64_t, std::size_t>;  // collective, ranks, library
  std::map<Key, std::map<double, double>> curves;                 // bytes, microseconds
  const Status shape = no_other_columns(table, file.file, 5);
  const Status lines = for_each_line(table, file.file, [&](Line& line) {
    const Name library = storage.keep(line.text("library"));
    const auto known = std::find(libraries.begin(), libraries.end(), library);
    const auto index = static_cast<std::size_t>(known - libraries.begin());
    if (known == libraries.end()) {
      libraries.push_back(library);
    }
    auto& points = curves[{line.choice<Collective>("collective"), line.count("ranks"), index}];
    if (!points.emplace(line.positive("bytes"), line.positive("microseconds")).second) {
      line.refuse("bytes", "this size is given twice");
    }
  });
  if (!shape || !lines) {
    return fail(shape ? lines.error() : shape.error());
  }
  std::vector<CollectiveCurve> result;
  for (const auto& [key, times] : curves) {
    std::vector<CollectivePoint> points;
    for (const auto& [bytes, microseconds] : times) {
      points.push_back({log2_of(bytes), log2_of(microseconds * 1e-6)});
    }
    const auto& [collective, ranks, library] = key;
    result.push_back(
        {file.gpu_id, collective, ranks, libraries[library], storage.keep(std::move(points)), file.source});
  }
  return result;
}

}  // namespace mekiki
