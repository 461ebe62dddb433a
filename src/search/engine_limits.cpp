#include "search/engine_limits.h"

#include <algorithm>

#include "base/amount.h"
#include "base/csv.h"
#include "base/words.h"

namespace mekiki {
namespace {

Result<EngineLimits> read_row(const CsvRow& row, std::string_view subject) {
  const auto& fields = row.fields;
  const auto bad = [&](std::string message) {
    return fail({ErrorCode::invalid_input, std::string(subject) + ":" + std::to_string(row.line), message, ""});
  };
  if (fields[1] != "yes" && fields[1] != "no") {
    return bad("planned is yes or no");
  }
  EngineLimits limits{.framework = fields[0],
                      .planned = fields[1] == "yes",
                      .vendors = words_of(fields[2]),
                      .families = words_of(fields[4]),
                      .source = fields[5]};
  if (!fields[3].empty()) {
    const Result<std::int64_t> nodes = parse_count(fields[3]);
    if (!nodes || *nodes < 1) {
      return bad(fields[3] + " is no number of nodes");
    }
    limits.most_nodes = *nodes;
  }
  return limits;
}

bool among(const std::vector<std::string>& words, std::string_view word) {
  return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Result<std::vector<EngineLimits>> read_engine_limits(std::string_view csv, std::string_view subject) {
  constexpr std::string_view kColumns[] = {
      "framework", "planned", "vendors", "most_nodes", "families", "source", "reason"};
  const Result<CsvTable> table = parse_csv_of(kColumns, "a table of engines", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<EngineLimits> all;
  for (const CsvRow& row : table->rows) {
    Result<EngineLimits> limits = read_row(row, subject);
    if (!limits) {
      return fail(limits.error());
    }
    all.push_back(std::move(*limits));
  }
  return all;
}

const EngineLimits* limits_of_framework(const std::vector<EngineLimits>& limits, std::string_view framework) {
  const auto found =
      std::find_if(limits.begin(), limits.end(), [&](const EngineLimits& l) { return l.framework == framework; });
  return found == limits.end() ? nullptr : &*found;
}

bool runs_on(const EngineLimits* limits, const Gpu& gpu, std::int64_t nodes) {
  return limits == nullptr || (among(limits->vendors, gpu.vendor) && nodes <= limits->most_nodes.value_or(nodes));
}

bool trains_family(const EngineLimits* limits, std::string_view family) {
  return limits == nullptr || among(limits->families, family);
}

}  // namespace mekiki
