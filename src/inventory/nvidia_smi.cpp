#include "inventory/nvidia_smi.h"

#include <algorithm>
#include <map>

#include "base/amount.h"
#include "inventory/text_lines.h"

namespace mekiki {
namespace {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.emplace_back(trimmed_text(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

// "[N/A]", "[Not Supported]", "[GPU is lost]": the driver does not say.
bool is_silent(std::string_view field) {
  return field.empty() || field.starts_with('[') || field == "N/A";
}

std::optional<double> number_of(std::string_view field) {
  if (is_silent(field)) {
    return std::nullopt;
  }
  const Result<double> number = parse_number(field.substr(0, field.find(' ')));
  return number ? std::optional<double>(*number) : std::nullopt;
}

std::optional<std::int64_t> whole_of(std::string_view field) {
  const std::optional<double> number = number_of(field);
  constexpr double kMost = 1e9;
  return number && *number >= 0 && *number <= kMost ? std::optional<std::int64_t>(static_cast<std::int64_t>(*number))
                                                    : std::nullopt;
}

std::optional<Bytes> mebibytes_of(std::string_view field) {
  const std::optional<double> number = number_of(field);
  return number && *number >= 0 ? std::optional<Bytes>(*number * kMiB) : std::nullopt;
}

std::optional<bool> switch_of(std::string_view field) {
  return field == "Enabled" ? std::optional(true) : field == "Disabled" ? std::optional(false) : std::nullopt;
}

using Columns = std::map<std::string, std::size_t, std::less<>>;

// "memory.total [MiB]" is memory.total.
Columns columns_of(std::string_view header) {
  Columns columns;
  const std::vector<std::string> fields = fields_of(header);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    columns.emplace(std::string(trimmed_text(std::string_view(fields[i]).substr(0, fields[i].find('[')))), i);
  }
  return columns;
}

class Row {
 public:
  Row(const Columns& columns, const std::vector<std::string>& fields) : columns_(columns), fields_(fields) {}

  std::string_view at(std::string_view name) const {
    const auto column = columns_.find(name);
    return column == columns_.end() || column->second >= fields_.size() ? std::string_view{} : fields_[column->second];
  }

 private:
  const Columns& columns_;
  const std::vector<std::string>& fields_;
};

GpuReading reading_of(const Row& row, std::int64_t index) {
  const std::string_view name = row.at("name"), driver = row.at("driver_version");
  return {.index = index,
          .name = is_silent(name) ? "" : std::string(name),
          .driver = is_silent(driver) ? "" : std::string(driver),
          .memory_total = mebibytes_of(row.at("memory.total")),
          .memory_used = mebibytes_of(row.at("memory.used")),
          .mig = switch_of(row.at("mig.mode.current")),
          .ecc = switch_of(row.at("ecc.mode.current")),
          .power_limit_w = number_of(row.at("power.limit")),
          .compute_capability = number_of(row.at("compute_cap")),
          .pcie_generation = whole_of(row.at("pcie.link.gen.max")),
          .pcie_width = whole_of(row.at("pcie.link.width.max"))};
}

}  // namespace

GpuReadings read_gpu_query(std::string_view text) {
  GpuReadings readings;
  Columns columns = {{"index", 0}, {"name", 1}, {"memory.total", 2}};
  std::map<std::int64_t, GpuReading> by_index;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> fields = fields_of(line);
    const bool is_header = std::find(fields.begin(), fields.end(), "index") != fields.end();
    if (is_header) {
      columns = columns_of(line);
      continue;
    }
    const Row row(columns, fields);
    const std::optional<std::int64_t> index = fields.size() > 1 ? whole_of(row.at("index")) : std::nullopt;
    if (index) {
      by_index[*index] = reading_of(row, *index);
    } else if (!trimmed_text(line).empty()) {
      readings.faults.emplace_back(trimmed_text(line));
    }
  }
  for (auto& [index, gpu] : by_index) {
    readings.gpus.push_back(std::move(gpu));
  }
  return readings;
}

std::optional<std::string> cuda_version_of(std::string_view text) {
  constexpr std::string_view kMark = "CUDA Version:";
  const std::size_t at = text.find(kMark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::vector<std::string> words = words_in(text.substr(at + kMark.size(), 16));
  return words.empty() || words.front() == "N/A" ? std::nullopt : std::optional(words.front());
}

}  // namespace mekiki
