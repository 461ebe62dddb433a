#include "catalog/rows/data_file.h"

#include <array>

#include "base/did_you_mean.h"

namespace mekiki {
namespace {

struct PathRule {
  std::string_view prefix;
  std::string_view suffix;
  DataKind kind;
};

// The first rule that fits decides.
constexpr std::array<PathRule, 26> kPathRules = {{
    {"", ".md", DataKind::ignored},
    {"schema/", "", DataKind::ignored},
    {"gpus/", ".json", DataKind::gpus},
    {"gpus/", ".csv", DataKind::gpu_aliases},
    {"systems/", ".json", DataKind::systems},
    {"providers/", ".json", DataKind::providers},
    {"providers/", ".csv", DataKind::document},
    {"sources.csv", "", DataKind::sources},
    {"prices/prices", ".csv", DataKind::prices},
    {"prices/", ".json", DataKind::prices},
    {"prices/gpu_ids", ".csv", DataKind::price_gpus},
    {"prices/", ".csv", DataKind::document},
    {"measured/files.csv", "", DataKind::measured_list},
    {"measured/gemm/", ".csv", DataKind::gemm},
    {"measured/attention/", ".csv", DataKind::attention},
    {"measured/collectives/", ".csv", DataKind::collectives},
    {"measured/reference/", ".csv", DataKind::ignored},
    {"measured/", ".json", DataKind::document},
    {"models/", ".json", DataKind::document},
    {"models/", ".csv", DataKind::document},
    {"profiles/", ".json", DataKind::document},
    {"messages/", ".json", DataKind::document},
    {"reference/", ".csv", DataKind::document},
    {"validation/rows/", ".csv", DataKind::ignored},
    {"validation/", ".csv", DataKind::document},
    {"examples/", ".yaml", DataKind::document},
}};

constexpr std::array<std::string_view, 10> kFolders = {
    "gpus", "systems", "providers", "prices", "measured", "models", "profiles", "messages", "reference", "validation"};

}  // namespace

Result<DataKind> data_kind(std::string_view path) {
  for (const PathRule& rule : kPathRules) {
    if (path.starts_with(rule.prefix) && path.ends_with(rule.suffix)) {
      return rule.kind;
    }
  }
  const std::string_view folder = path.substr(0, path.find('/'));
  std::string hint = did_you_mean(folder, kFolders);
  if (hint.empty()) {
    hint = "JSON or CSV files in gpus/, systems/, providers/, prices/, measured/, models/, profiles/, messages/";
  }
  return fail({ErrorCode::not_found, std::string(path), "no kind of data is kept under this path", std::move(hint)});
}

}  // namespace mekiki
