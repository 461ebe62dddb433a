#include "validate/row_models.h"

#include <algorithm>
#include <optional>

#include "model/family.h"
#include "model/model_index.h"
#include "model/resolve.h"

namespace mekiki {
namespace {

constexpr std::string_view kBundledRowModels = "data/models/row_models.csv";
constexpr std::string_view kBundledIndex = "data/models/index.csv";
constexpr std::string_view kBundledFolder = "data/models/";

std::string without_remark(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(" ("));
  return std::string(name.substr(0, name.find_last_not_of(' ') + 1));
}

const RowModel* find_text(const std::vector<RowModel>& rows, std::string_view text) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const RowModel& r) { return r.model_text == text; });
  return found == rows.end() ? nullptr : &*found;
}

class Resolver {
 public:
  Resolver(const Catalog& catalog, ModelFolder folder) : catalog_(catalog), folder_(folder) {}

  Status load() {
    if (const auto text = file(kRowModelsFile)) {
      Result<std::vector<RowModel>> rows = parse_row_models(*text, kRowModelsFile);
      if (!rows) {
        return fail(rows.error());
      }
      own_ = std::move(*rows);
    }
    if (const auto text = find_document(catalog_, kBundledRowModels)) {
      Result<std::vector<RowModel>> rows = parse_row_models(*text, kBundledRowModels);
      if (!rows) {
        return fail(rows.error());
      }
      bundled_ = std::move(*rows);
    }
    if (const auto text = find_document(catalog_, kBundledIndex)) {
      Result<std::vector<ModelIndexRow>> rows = parse_model_index(*text, kBundledIndex);
      if (!rows) {
        return fail(rows.error());
      }
      index_ = std::move(*rows);
    }
    return {};
  }

  Result<Arch> arch(std::string_view text) const {
    if (const RowModel* row = find_text(own_, text)) {
      return of_row(*row, true);
    }
    if (const RowModel* row = find_text(bundled_, text)) {
      return of_row(*row, false);
    }
    const std::string name = without_remark(text);
    if (const auto config = named_file(name)) {
      return read(*config, name);
    }
    return bundled(name);
  }

 private:
  std::optional<std::string_view> file(std::string_view path) const {
    const auto found = std::find_if(folder_.begin(), folder_.end(), [&](const DataFile& f) { return f.path == path; });
    return found == folder_.end() ? std::nullopt : std::optional<std::string_view>(found->text);
  }

  /// A config named after the model, wherever in the folder it lies.
  std::optional<std::string_view> named_file(std::string_view name) const {
    std::string wanted(name);
    for (std::size_t at = wanted.find('/'); at != std::string::npos; at = wanted.find('/')) {
      wanted.replace(at, 1, "__");
    }
    wanted += ".json";
    for (const DataFile& f : folder_) {
      const std::string_view path = f.path;
      if (path.substr(path.rfind('/') + 1) == wanted) {
        return f.text;
      }
    }
    return std::nullopt;
  }

  static Result<Arch> read(std::string_view config, std::string_view subject) {
    Result<ParsedModel> model = read_config(config, subject);
    if (!model) {
      return fail(model.error());
    }
    return std::move(model->arch);
  }

  Result<Arch> of_row(const RowModel& row, bool own) const {
    if (row.config_id.empty() && row.file.empty()) {
      return fail({ErrorCode::not_found,
                   row.model_text,
                   row.note.empty() ? "no config is known for this model" : row.note,
                   "give one with --models"});
    }
    Result<Arch> arch = config_of(row, own);
    if (arch && row.truncated_layers) {
      return truncated(std::move(*arch), *row.truncated_layers);
    }
    return arch;
  }

  Result<Arch> config_of(const RowModel& row, bool own) const {
    if (own && !row.file.empty()) {
      if (const auto config = file(row.file)) {
        return read(*config, row.file);
      }
    }
    if (!row.config_id.empty()) {
      if (const auto config = own ? named_file(row.config_id) : std::nullopt) {
        return read(*config, row.config_id);
      }
      return bundled(row.config_id);
    }
    return fail({ErrorCode::not_found, row.model_text, "there is no file " + row.file, "check the --models folder"});
  }

  Result<Arch> bundled(std::string_view name) const {
    Result<const ModelIndexRow*> row = resolve_model(name, index_);
    if (!row) {
      return fail(row.error());
    }
    const auto text = find_document(catalog_, std::string(kBundledFolder) + (*row)->file);
    if (!text) {
      return fail({ErrorCode::not_found, std::string(name), "its config " + (*row)->file + " is not bundled", ""});
    }
    return read(*text, (*row)->file);
  }

  const Catalog& catalog_;
  ModelFolder folder_;
  std::vector<RowModel> own_, bundled_;
  std::vector<ModelIndexRow> index_;
};

}  // namespace

Result<ArchOfText> archs_of_texts(std::span<const std::string> texts, const Catalog& catalog, ModelFolder folder) {
  Resolver resolver(catalog, folder);
  if (const Status loaded = resolver.load(); !loaded) {
    return fail(loaded.error());
  }
  ArchOfText archs;
  for (const std::string& text : texts) {
    if (archs.find(text) == archs.end()) {
      archs.emplace(text, resolver.arch(text));
    }
  }
  return archs;
}

}  // namespace mekiki
